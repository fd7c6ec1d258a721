package protocol

import (
	"fmt"
	"strings"
)

// Major is the major version of s; 0 when its version is not
// MAJOR.MINOR.PATCH.
func (s ProvidedService) Major() int {
	if !versionPattern().MatchString(s.Version) {
		return 0
	}
	var major int
	head, _, _ := strings.Cut(s.Version, ".")
	if _, err := fmt.Sscan(head, &major); err != nil {
		return 0
	}
	return major
}

func (c *checker) providedServices(list []ProvidedService) {
	type key struct {
		name  string
		major int
	}
	seen := map[key]int{}
	for i, s := range list {
		at := index("provided_services", i)
		c.serviceName(at+".name", s.Name)
		if !versionPattern().MatchString(s.Version) {
			c.add(BadService, at+".version", "is %q; it must be MAJOR.MINOR.PATCH without leading zeros", s.Version)
		} else {
			k := key{s.Name, s.Major()}
			if first, dup := seen[k]; dup {
				c.add(BadService, at, "repeats %s with major version %d of provided_services[%d]", s.Name, k.major, first)
			}
			seen[k] = i
		}
		c.serviceMethods(at, s.Methods)
	}
}

func (c *checker) serviceMethods(at string, list []ServiceMethod) {
	if len(list) == 0 {
		c.add(BadService, at+".methods", "is empty; a service has at least one method")
	}
	seen := map[string]bool{}
	for i, m := range list {
		place := index(at+".methods", i)
		switch {
		case !methodPattern().MatchString(m.Name):
			c.add(BadService, place+".name", "is %q; a method name is lower-case words joined by . or -", m.Name)
		case seen[m.Name]:
			c.add(BadService, place+".name", "repeats %q", m.Name)
		}
		seen[m.Name] = true
		c.schemaID(place+".input_schema", m.InputSchema)
		c.schemaID(place+".output_schema", m.OutputSchema)
	}
}

func (c *checker) schemaID(at, id string) {
	if !schemaIDPattern().MatchString(id) {
		c.add(BadService, at, "is %q; it must be a dotted identifier", id).
			WithHint("name the schema, for example example.text.input.v1; it is not written here")
	}
}

func (c *checker) requiredServices(list []ServiceRequirement) {
	seen := map[string]int{}
	for i, s := range list {
		at := index("required_services", i)
		c.serviceName(at+".name", s.Name)
		if first, dup := seen[s.Name]; dup {
			c.add(BadService, at+".name", "repeats %q of required_services[%d]", s.Name, first)
		}
		seen[s.Name] = i
		if s.MajorVersion < 0 {
			c.add(BadService, at+".major_version", "is %d; it must not be negative", s.MajorVersion)
		}
	}
}

func (c *checker) serviceName(at, name string) {
	if !servicePattern().MatchString(name) {
		c.add(BadService, at, "is %q; a service name is at least two lower-case words joined by dots", name)
	}
}
