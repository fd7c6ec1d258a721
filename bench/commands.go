package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// commands compares the start of the command and its quick verbs.
func commands(t *table, bin map[string]string, tmp string) error {
	wuu, plugin := bin["wuu"], filepath.Join(tmp, "hi")
	for _, args := range [][]string{
		{"plugin", "create", "hi", "--output", plugin},
		{"plugin", "pack", plugin, "--output", tmp + string(filepath.Separator)},
		{"plugin", "install", "--yes", filepath.Join(tmp, "hi-0.1.0.zip")},
	} {
		if msg, err := exec.Command(wuu, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, msg)
		}
	}
	// built is a plugin without sources: what a validator of manifests sees.
	built := filepath.Join(os.Getenv("WUU_HOME"), "plugins", "hi")
	if err := os.RemoveAll(filepath.Join(built, "src")); err != nil {
		return err
	}
	t.head("The command")
	for _, r := range []struct {
		goal
		left, right []string
		rounds      int
	}{
		{goal{"S1", "wuu --help / a program linking the card's five", 0, 2.5, 2.5, false}, []string{wuu, "--help"}, []string{bin["card"], "--help"}, 41},
		{goal{"C1", "wuu --version / Go hello", 0, 2.5, 3.5, false}, []string{wuu, "--version"}, []string{bin["hello"]}, 41},
		{goal{"C2", "npm --version / wuu --version", 0, 25, 15, true}, []string{"npm", "--version"}, []string{wuu, "--version"}, 11},
		{goal{"V2", "validate a built plugin / wuu --version", 0, 1.5, 2.0, false}, []string{wuu, "plugin", "validate", built}, []string{wuu, "--version"}, 41},
		{goal{"V3", "validate, building from source / node -e ''", 0, 1.0, 1.5, false}, []string{wuu, "plugin", "validate", plugin}, []string{"node", "-e", ""}, 21},
	} {
		if err := compare(t, r.goal, r.left, r.right, r.rounds); err != nil {
			return err
		}
	}
	return nil
}

func compare(t *table, g goal, left, right []string, rounds int) error {
	for _, argv := range [][]string{left, right} {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.skip(g.id, g.what, argv[0]+" is not here")
			return nil
		}
	}
	plain := func(name string, argv []string) contender {
		return contender{name: name, start: func(int) (*exec.Cmd, error) { return exec.Command(argv[0], argv[1:]...), nil }}
	}
	r, err := race([]contender{plain("left", left), plain("right", right)}, rounds)
	if err != nil {
		return err
	}
	g.ratio = ratio(r["left"], r["right"])
	t.add(g)
	return nil
}
