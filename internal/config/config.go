// Package config reads wuu's settings into one typed value:
// flag > environment WUU_* > project > user > default.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/viper"
)

// Config is every setting that is not a flag of one command.
type Config struct {
	Registry string        // HTTPS origin of the npm registry
	Color    string        // auto, always or never
	Node     string        // path or name of the Node executable
	DevPoll  time.Duration // 0: file events; else the polling interval
	CacheMax int64         // bytes the content store may hold
}

// Default is the lowest layer.
func Default() Config {
	return Config{
		Registry: "https://registry.npmjs.org",
		Color:    "auto",
		Node:     "node",
		CacheMax: 1 << 30,
	}
}

// Load reads the user's file, then the project's, then WUU_* variables; a
// missing file is no error. projectDir may be empty. An unknown key is an
// error that names the file.
func Load(userFile, projectDir string, getenv func(string) string) (Config, error) {
	c := Default()
	files := []string{userFile}
	if projectDir != "" {
		files = append(files, filepath.Join(projectDir, ".wuu", "config.toml"))
	}
	for _, file := range files {
		if err := c.readFile(file); err != nil {
			return c, err
		}
	}
	return c, c.readEnv(getenv)
}

type fileShape struct {
	Registry string
	Color    string
	Node     string
	Dev      struct{ Poll time.Duration }
	Cache    struct {
		MaxBytes int64 `mapstructure:"max_bytes"`
	}
}

func (c *Config) readFile(file string) error {
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	v.SetConfigFile(file)
	v.SetConfigType("toml")
	if err := v.ReadInConfig(); err != nil {
		var none viper.ConfigFileNotFoundError
		if errors.As(err, &none) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("read %s: %w", file, err)
	}
	var f fileShape
	if err := v.UnmarshalExact(&f); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	set(&c.Registry, f.Registry)
	set(&c.Color, f.Color)
	set(&c.Node, f.Node)
	set(&c.DevPoll, f.Dev.Poll)
	set(&c.CacheMax, f.Cache.MaxBytes)
	return nil
}

func (c *Config) readEnv(getenv func(string) string) error {
	set(&c.Registry, getenv("WUU_REGISTRY"))
	set(&c.Color, getenv("WUU_COLOR"))
	set(&c.Node, getenv("WUU_NODE"))
	if ms := strings.TrimSpace(getenv("WUU_POLL_MS")); ms != "" {
		d, err := time.ParseDuration(ms + "ms")
		if err != nil || d <= 0 {
			return fmt.Errorf("WUU_POLL_MS=%s: want a positive number of milliseconds", ms)
		}
		c.DevPoll = d
	}
	return nil
}

func set[T comparable](dst *T, v T) {
	var zero T
	if v != zero {
		*dst = v
	}
}
