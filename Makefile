# wuu's tasks. `make demo` and `make test` are the two to know.
GO      ?= go
LINT     = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 3s
LDFLAGS  = -s -w

.PHONY: build demo test lint race fuzz cross bench check corpus docs full

build:            ## bin/wuu for this machine
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/wuu ./cmd/wuu

demo: build       ## the whole way of a plugin, in a temporary home
	$(GO) run ./internal/demo -wuu bin/wuu

test:             ## unit tests and the scripts that run the real binary
	$(GO) test ./...

full:             ## test, plus what needs the npm registry, tsc or other Nodes
	WUU_FULL=1 $(GO) test ./...

race:             ## the same under the race detector
	$(GO) test -race ./...

lint:             ## gofmt, go vet, golangci-lint
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run: gofmt -w .'; exit 1; }
	$(GO) vet ./...
	$(LINT) run ./...

cross:            ## build and vet for the three systems
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
	  echo "$$os/$$arch"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -o /dev/null ./cmd/wuu || exit 1; done; \
	  CGO_ENABLED=0 GOOS=$$os $(GO) vet ./... || exit 1; done

fuzz:             ## every fuzz target for FUZZTIME
	@$(GO) run ./internal/fuzzall -time $(FUZZTIME)

bench:            ## ratios against rivals; not a test
	$(GO) run ./bench

corpus:           ## how many of the archives with known verdicts hold, when they are beside the checkout
	$(GO) test ./pack -run TestCorpus -count 1 -v

docs:             ## docs/reference.md from the commands
	$(GO) run ./internal/docgen > docs/reference.md

check: lint cross fuzz race test ## what CI runs; the test summary comes last
