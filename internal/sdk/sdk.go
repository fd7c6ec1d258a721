package sdk
