package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// ShapeError says in the words of JSON what encoding/json says in those of Go:
// which member is of which kind, and which kind is wanted. Other errors pass
// unchanged.
func ShapeError(err error) error {
	var bad *json.UnmarshalTypeError
	if !errors.As(err, &bad) {
		return err
	}
	at := "it"
	if bad.Field != "" {
		at = bad.Field
	}
	return fmt.Errorf("%s is of kind %s, not %s", at, bad.Value, kindOf(bad.Type))
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "string"
	}
	return "number"
}
