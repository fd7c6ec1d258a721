package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// Main runs wuu with the process's arguments and returns the exit code.
func Main(args []string) int {
	app, err := NewApp()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error: find the working directory:", err)
		return int(fault.Usage)
	}
	ctx, stop := app.signals()
	defer stop()
	return app.Run(ctx, args)
}

const (
	// patience is how long a signal leaves for ending in good order: the two
	// seconds of shutdown, and a moment after the end of stdin. Nothing that
	// wuu has started may live three seconds later.
	patience = 2500 * time.Millisecond
	// sayAfter is when a command that takes its time to end says so.
	sayAfter = 300 * time.Millisecond
	// lastWord is how long a second signal leaves for killing what still runs.
	lastWord = time.Second
)

// signals cancels the context at the first SIGINT, SIGTERM or SIGHUP. The
// second one, a SIGQUIT, or the end of patience ends a.hard, so that plugins and
// build scripts are killed, group by group, instead of asked. lastWord after a
// second signal the process ends in any case. When the reader of an output goes
// away, the command ends as it does with its terminal.
func (a *App) signals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	hard, kill := context.WithCancel(context.Background())
	a.hard = hard
	end := func(kind fault.Kind) {
		cancel(fault.Signal(kind))
		time.AfterFunc(patience, kill)
		time.AfterFunc(sayAfter, func() { a.note("ending what still runs; Ctrl-C kills it at once") })
	}
	// A caught SIGPIPE makes the write fail instead of killing the process,
	// which would leave its plugins behind.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a.IO.OnReaderGone(sync.OnceFunc(func() { end(fault.Terminate) }))
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		kind := fault.Interrupt
		sig := <-ch
		if sig == syscall.SIGTERM || sig == syscall.SIGHUP {
			kind = fault.Terminate
		}
		end(kind)
		if sig != syscall.SIGQUIT {
			<-ch
		}
		kill()
		time.Sleep(lastWord)
		os.Exit(int(kind))
	}()
	return procgroup.WithPatience(ctx, hard), func() { signal.Stop(ch); cancel(nil); kill() }
}

// Run executes one command line and returns the exit code. A panic is a
// defect: exit 9, with one JSON document under --json like any other error.
func (a *App) Run(ctx context.Context, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			stack := debug.Stack()
			code = fault.Exit(ctx, a.fail(fault.New(fault.Defect, "DEFECT", "", "panic: %v", p)))
			fmt.Fprintf(a.IO.Err, "%s", stack)
		}
	}()
	// A usage error is found before the flags are parsed: --json counts even then.
	before, _, _ := strings.Cut(strings.Join(args, "\x00")+"\x00", "\x00--\x00")
	a.json = slices.Contains(strings.Split(before, "\x00"), "--json")

	root := newRootCmd(a)
	root.SetArgs(joinPoll(args))
	err := root.ExecuteContext(ctx)
	return fault.Exit(ctx, a.fail(usageError(err)))
}

// usageError gives cobra's own errors their kind; ours pass unchanged.
func usageError(err error) error {
	var e *fault.Error
	if err == nil || errors.As(err, &e) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var cobraErr usage
	if errors.As(err, &cobraErr) {
		return fault.New(fault.Usage, "USAGE", "", "%w", cobraErr.error).WithHint("see: %s --help", cobraErr.command)
	}
	return err
}

// usage marks an error about arguments or flags of one command.
type usage struct {
	error
	command string
}

func newRootCmd(a *App) *cobra.Command {
	root := &cobra.Command{
		Use:   "wuu",
		Short: "Write, check, test, pack, install and live-reload plugins for AI agents",
		Example: `  wuu plugin create hello        make a plugin
  wuu plugin dev hello           publish it again after every save
  wuu plugin call hello greet '{"name":"Ada"}'`,
		SilenceUsage:               true,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return a.setup()
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.homeFlag, "home", "", "wuu home `DIR` (default $WUU_HOME, else ~/.wuu)")
	flags.BoolVar(&a.json, "json", a.json, "print one JSON document on stdout")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "print more about what is done")
	flags.StringVar(&a.color, "color", "", "colour: `auto`, always or never")
	var showVersion bool
	root.Flags().BoolVar(&showVersion, "version", false, "print the version")
	root.Args = cobra.ArbitraryArgs
	root.RunE = func(cmd *cobra.Command, argv []string) error {
		if showVersion {
			return a.printVersion()
		}
		return unknownWord(cmd, argv)
	}
	root.SetOut(a.IO.Out)
	root.SetErr(a.IO.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage{err, cmd.CommandPath()}
	})
	root.AddCommand(newPluginCmd(a), newHostCmd(a), newCacheCmd(a), newVersionCmd(a), newExplainCmd(a), newExitCodesCmd(a))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			completionExamples(cmd)
		}
	}
	return root
}

// group makes a command that only holds others: an unknown word below it is
// a usage error with a suggestion, no word at all shows the help.
func group(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = unknownWord
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(children...)
	return cmd
}

// unknownWord shows the help of a command that only holds others, or says that
// it holds none of that name.
func unknownWord(cmd *cobra.Command, argv []string) error {
	if len(argv) == 0 {
		if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
			return fault.New(fault.Usage, "USAGE", "", "%s needs a command", cmd.CommandPath()).WithHint("see: %s --help", cmd.CommandPath())
		}
		return cmd.Help()
	}
	err := fault.New(fault.Usage, "USAGE", "", "unknown command %q for %q", argv[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(argv[0]); len(near) > 0 {
		return err.WithHint("did you mean: %s %s", cmd.CommandPath(), near[0])
	}
	return err.WithHint("see: %s --help", cmd.CommandPath())
}

// args wraps a cobra argument check so that its error names the command.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage{fmt.Errorf("%w\nusage: %s", err, cmd.UseLine()), cmd.CommandPath()}
		}
		return nil
	}
}

// exclusive adds that one of the flags at most may be given. cobra's own way
// returns an error that nothing tells from a defect.
func exclusive(check cobra.PositionalArgs, flags ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		var given []string
		for _, name := range flags {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s do not go together", strings.Join(given, " and "))
		}
		return check(cmd, args)
	}
}

func newPluginCmd(a *App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "plugin",
		Aliases: []string{"p"},
		Short:   "Make, check, distribute and run plugins",
		Example: "  wuu plugin create hello\n  wuu plugin install npm:wuu-hello@0.1.0",
	}
	return group(cmd,
		newCreateCmd(a, nil), newValidateCmd(a, nil), newTestCmd(a, nil), newBuildCmd(a, nil), newPackCmd(a, nil),
		newInspectCmd(a, nil), newInstallCmd(a, nil), newUpdateCmd(a, nil), newListCmd(a, nil),
		newEnableCmd(a, nil), newDisableCmd(a, nil), newRemoveCmd(a, nil),
		newDevCmd(a, nil), newReloadCmd(a, nil), newHostsCmd(a, nil), newCallCmd(a, nil),
	)
}
