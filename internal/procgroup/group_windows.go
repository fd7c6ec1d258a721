package procgroup

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// osGroup is a job object that kills its processes when its last handle
// closes, which the system does even when this process is killed.
type osGroup struct{ job windows.Handle }

// start makes the process suspended, so that it can start nothing outside of
// the job before it is in the job.
func (g *osGroup) start(cmd *exec.Cmd, rawArgs string) error {
	job, err := newJob()
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if rawArgs != "" {
		cmd.SysProcAttr.CmdLine = syscall.EscapeArg(cmd.Args[0]) + " " + rawArgs
	}
	if err := cmd.Start(); err != nil {
		return errors.Join(err, windows.CloseHandle(job))
	}
	if err := adopt(job, uint32(cmd.Process.Pid)); err != nil {
		err = errors.Join(err, cmd.Process.Kill(), windows.CloseHandle(job))
		_, waitErr := cmd.Process.Wait()
		return errors.Join(err, waitErr)
	}
	g.job = job
	return nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("create job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		return 0, errors.Join(fmt.Errorf("set limits of job object: %w", err), windows.CloseHandle(job))
	}
	return job, nil
}

func adopt(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return fmt.Errorf("open process %d: %w", pid, err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return fmt.Errorf("assign process %d to job object: %w", pid, err)
	}
	return resume(pid)
}

// resume lets the only thread of a process that was made suspended run.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("open thread of process %d: %w", pid, err)
		}
		defer windows.CloseHandle(thread)
		if _, err := windows.ResumeThread(thread); err != nil {
			return fmt.Errorf("resume process %d: %w", pid, err)
		}
		return nil
	}
	return fmt.Errorf("resume process %d: it has no thread", pid)
}

func (g *osGroup) close() { _ = windows.CloseHandle(g.job) } // nothing can be done about an error here

func (g *osGroup) terminate(pid int) error { return g.kill(pid) }

func (g *osGroup) kill(pid int) error {
	if err := windows.TerminateJobObject(g.job, 1); err != nil {
		return fmt.Errorf("end job of process %d: %w", pid, err)
	}
	return nil
}

// endRest ends what the leader left in the job and waits until that is gone.
func (g *osGroup) endRest(pid int) (left bool, err error) {
	n, err := g.active()
	if err != nil || n == 0 {
		return false, err
	}
	if err := g.kill(pid); err != nil {
		return true, err
	}
	deadline := time.Now().Add(5 * time.Second)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		n, err := g.active()
		if err != nil || n == 0 {
			return true, err
		}
		if time.Now().After(deadline) {
			return true, fmt.Errorf("%d processes of the job of process %d are still alive", n, pid)
		}
		time.Sleep(wait)
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h.
type accounting struct {
	TotalUserTime, TotalKernelTime, ThisPeriodTotalUserTime, ThisPeriodTotalKernelTime int64
	TotalPageFaultCount, TotalProcesses, ActiveProcesses, TotalTerminatedProcesses     uint32
}

func (g *osGroup) active() (uint32, error) {
	var info accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	if err != nil {
		return 0, fmt.Errorf("count processes of job object: %w", err)
	}
	return info.ActiveProcesses, nil
}
