package registry

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/httpx"
)

// failure turns an error of a request into one that a person can act on. The
// end of ctx comes first: its cause is the error.
func (c *Client) failure(ctx context.Context, spec string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var done *Error
	var e *httpx.Error
	switch {
	case errors.As(err, &done):
		return err
	case !errors.As(err, &e):
		return ofDisk(spec, err)
	}
	kind, code, hint := meaning(e)
	f := &Error{Kind: kind, Code: code, Subject: spec, Err: e, Hint: hint}
	if e.URL != "" {
		f = fault.New(kind, code, spec, "%s: %w", e.URL, e)
		f.Hint = hint
	}
	return f
}

// ofDisk explains an error of the content store's files.
func ofDisk(spec string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	if !errors.As(err, &path) && !errors.As(err, &link) {
		return err
	}
	return fault.New(fault.Usage, "STORE_FAILED", spec, "the content store cannot be used: %w", err).
		WithHint("check the free space and the permissions of the cache folder")
}

func meaning(e *httpx.Error) (kind fault.Kind, code, hint string) {
	switch e.Reason {
	case httpx.BadStatus:
		return ofStatus(e.Status)
	case httpx.BadRedirect:
		return fault.Network, "REDIRECT_REFUSED", "wuu follows redirects inside the registry's origin only; a captive portal or proxy may stand between"
	case httpx.BadCertificate:
		return fault.Network, "TLS_CERTIFICATE", "if a company's proxy signs it, put its certificate in a PEM file and set NODE_EXTRA_CA_CERTS to that file"
	case httpx.BadProxy:
		return fault.Network, "PROXY_REFUSED", "check HTTPS_PROXY, or list the registry's host in NO_PROXY"
	case httpx.BadSetting:
		return fault.Usage, "SETTING_INVALID", "correct or unset the variable"
	case httpx.TooLarge:
		return fault.Network, "METADATA_TOO_LARGE", "write an exact version: that takes one small document where the registry has it"
	case httpx.WrongContent:
		return fault.Network, "REGISTRY_CONTENT", "check the registry's address, and whether the network asks for a login"
	case httpx.BadHeaders:
		return fault.Network, "REGISTRY_CONTENT", "check the registry's address; a proxy may stand between"
	case httpx.BadURL:
		return fault.Network, "REGISTRY_METADATA", ""
	default:
		return fault.Network, "NETWORK", "check the connection; behind a proxy, set HTTPS_PROXY"
	}
}

func ofStatus(status int) (kind fault.Kind, code, hint string) {
	switch status {
	case http.StatusNotFound, http.StatusGone:
		return fault.Network, "REGISTRY_NOT_FOUND", "check the name; another registry is chosen with --registry"
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.Network, "REGISTRY_DENIED", "wuu sends no credentials, so private packages cannot be fetched; download the .tgz and install the file"
	}
	return fault.Network, "REGISTRY_STATUS", "the registry has a problem; try again later"
}
