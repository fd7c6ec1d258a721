package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

type installOptions struct {
	Spec    string
	ID      string // update: the id that must be in the package
	Consent catalog.Consent
	DryRun  bool
	Source  sourceFlags
}

type installDoc struct {
	packageRecord
	Action string             `json:"action"`
	DryRun bool               `json:"dry_run,omitempty"`
	Epoch  uint64             `json:"epoch,omitempty"`
	Hosts  []host.Observation `json:"hosts"`
}

func newInstallCmd(a *App, run func(context.Context, *installOptions) error) *cobra.Command {
	o := &installOptions{}
	cmd := &cobra.Command{
		Use:   "install <spec>",
		Short: "Install a plugin from a folder, zip, npm tarball, npm registry or lock",
		Long: `Install a plugin and trust and enable it. A spec is ./dir, ./x.zip, ./x.tgz,
npm:<name>@<exact version> or lock:<path of a saved .wuu-package-lock.json>.`,
		Example: `  wuu plugin install hello-0.1.0.zip
  wuu plugin install --yes npm:wuu-hello@0.1.0
  wuu plugin install lock:./hello.lock.json`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			o.Spec = argv[0]
			if run == nil {
				run = a.runInstall
			}
			return run(cmd.Context(), o)
		},
	}
	o.addTo(cmd)
	return cmd
}

func (o *installOptions) addTo(cmd *cobra.Command) {
	o.Source.addTo(cmd)
	cmd.Flags().BoolVar(&o.Consent.Yes, "yes", false, "trust a new package or source without a prompt; what an update can do more is not covered")
	cmd.Flags().StringVar(&o.Consent.Digest, "accept-capabilities", "", "trust exactly the capabilities with this `DIGEST` (see inspect --json)")
	cmd.Flags().BoolVar(&o.Consent.AllowDowngrade, "allow-downgrade", false, "allow an older version")
	cmd.Flags().BoolVar(&o.Source.Frozen, "frozen", false, "install only what a lock records (lock:<path>, or the lock of the installed plugin) and ask no registry what a version is")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "do everything but the change")
}

func (a *App) runInstall(ctx context.Context, o *installOptions) error {
	doc, err := a.install(ctx, o)
	if doc == nil {
		return err
	}
	return a.finishPut(*doc, err)
}

// install does what the options say and prints no result. With a document the
// error can only be an activation failure: the change stands.
func (a *App) install(ctx context.Context, o *installOptions) (*installDoc, error) {
	p, err := a.openSound(ctx, o.Spec, o.Source)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if o.ID != "" && p.report.Manifest.ID != o.ID {
		return nil, fault.New(fault.Usage, "ID_MISMATCH", o.Spec, "holds the plugin %s, not %s", p.report.Manifest.ID, o.ID).
			WithHint("wuu plugin update %s %s", p.report.Manifest.ID, o.Spec)
	}
	if src := p.source; src.Kind == registry.Replay && src.Lock.PluginID != p.report.Manifest.ID {
		return nil, fault.New(fault.Lock, "LOCK_DISAGREES", o.Spec, "records the plugin %s, the package holds %s", src.Lock.PluginID, p.report.Manifest.ID)
	}
	if err := a.checkRepublished(p); err != nil {
		return nil, err
	}
	a.writeFindings(a.IO.Err, a.IO.ErrStyle(), p.findings, p.content)
	if err := p.fillStage(ctx, a.catalog()); err != nil {
		return nil, err
	}
	return a.put(ctx, p, o)
}

// fillStage copies a folder's packed set into a stage; archives are there.
func (p *opened) fillStage(ctx context.Context, c *catalog.Catalog) (err error) {
	if p.stage != nil {
		return nil
	}
	if p.stage, err = c.NewStage(); err != nil {
		return err
	}
	return p.pkg.CopyTo(ctx, p.stage.Root())
}

// put asks for consent where it is needed and commits. The prompt holds no
// lease; a yes covers what was shown, so when the question has changed
// meanwhile it is asked again.
func (a *App) put(ctx context.Context, p *opened, o *installOptions) (*installDoc, error) {
	consent := o.Consent
	for {
		doc, err := a.tryPut(ctx, p, o, consent)
		if doc != nil || err == nil {
			return doc, err
		}
		e := fault.As(err)
		need, ok := e.Details.(catalog.ConsentNeeded)
		if e.Kind != fault.Consent || !ok || !a.IO.InTTY || !a.IO.ErrTTY || a.json || o.DryRun {
			return nil, err
		}
		yes, perr := a.askConsent(ctx, p.record(), need)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case perr != nil:
			return nil, fault.New(fault.Consent, "DECLINED", p.report.Manifest.ID, "nothing was changed: there was no answer")
		case !yes:
			return nil, fault.New(fault.Consent, "DECLINED", p.report.Manifest.ID, "nothing was changed: you said no")
		}
		consent.Yes, consent.Shown = true, &need
	}
}

// tryPut runs one transaction.
func (a *App) tryPut(ctx context.Context, p *opened, o *installOptions, consent catalog.Consent) (*installDoc, error) {
	tx, err := a.catalog().Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Close()
	a.reportRepairs(tx)
	change, err := tx.Put(p.stage, p.candidate(), consent)
	if err != nil {
		return nil, err
	}
	doc := &installDoc{packageRecord: p.record(), Action: change.Action, DryRun: o.DryRun, Hosts: []host.Observation{}}
	if o.DryRun || change.Action == "unchanged" {
		return doc, nil
	}
	err = a.publish(ctx, tx, doc.ID, &doc.Hosts)
	if !published(err) {
		return nil, err
	}
	if r, ierr := a.installed(doc.ID); ierr == nil {
		a.keepFileList(p, r)
		findings, signature := doc.Findings, doc.Signature
		doc.packageRecord = installedRecord(r, installedLock(r))
		doc.Findings, doc.Signature = findings, signature
	}
	return doc, err
}

func (a *App) finishPut(doc installDoc, failed error) error {
	err := a.emit(doc, func(w io.Writer, s term.Style) {
		word := doc.Action
		if doc.DryRun {
			word = "would be " + word
		}
		fmt.Fprintf(w, "%s %s %s\n", s.Green(word), doc.ID, doc.Version)
		doc.writeDetails(w, s)
		writeObservations(w, s, doc.ID, doc.Hosts)
	})
	if err == nil && failed != nil {
		return a.reportedAfter(failed)
	}
	return err
}
