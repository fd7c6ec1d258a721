package jsonl
