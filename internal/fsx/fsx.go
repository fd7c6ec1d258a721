package fsx
