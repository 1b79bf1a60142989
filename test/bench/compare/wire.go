package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The messages of Monty's worker process are protocol buffers. These are the few
// parts of that format which the comparison needs.

// Wire types.
const (
	varint  = 0
	fixed64 = 1
	bytes   = 2
)

func tag(out []byte, field, wireType int) []byte {
	return binary.AppendUvarint(out, uint64(field<<3|wireType))
}

// message appends a field that holds bytes, text or another message.
func message[T ~string | ~[]byte](out []byte, field int, data T) []byte {
	out = binary.AppendUvarint(tag(out, field, bytes), uint64(len(data)))
	return append(out, data...)
}

// number appends a field that holds an unsigned number.
func number(out []byte, field int, n uint64) []byte {
	return binary.AppendUvarint(tag(out, field, varint), n)
}

// field is one decoded field: a number, or bytes.
type field struct {
	id     int
	number uint64
	data   []byte
}

var errWire = errors.New("a message ends early")

// fields takes a message apart.
func fields(data []byte) ([]field, error) {
	var all []field
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errWire
		}
		data = data[n:]
		f := field{id: int(key >> 3)}
		switch key & 7 {
		case varint:
			if f.number, n = binary.Uvarint(data); n <= 0 {
				return nil, errWire
			}
			data = data[n:]
		case fixed64:
			if len(data) < 8 {
				return nil, errWire
			}
			f.number, data = binary.LittleEndian.Uint64(data), data[8:]
		case bytes:
			size, n := binary.Uvarint(data)
			if n <= 0 || size > uint64(len(data)-n) {
				return nil, errWire
			}
			f.data, data = data[n:n+int(size)], data[n+int(size):]
		default:
			return nil, fmt.Errorf("wire type %d", key&7)
		}
		all = append(all, f)
	}
	return all, nil
}

// Fields of Monty's message for a Python value, and of what it holds.
const (
	valueBool, valueInt, valueFloat, valueText = 4, 5, 7, 8
	valueList, valueDict, valueFunction        = 11, 14, 25
	items, pairs, pairKey, pairValue           = 1, 1, 1, 2
)

// encodeValue returns a value that encoding/json has decoded as Monty's message.
// Whole numbers become ints.
func encodeValue(v any) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return number(nil, valueBool, 1)
		}
		return number(nil, valueBool, 0)
	case int64:
		return number(nil, valueInt, uint64(v)<<1^uint64(v>>63))
	case float64:
		return binary.LittleEndian.AppendUint64(tag(nil, valueFloat, fixed64), math.Float64bits(v))
	case string:
		return message(nil, valueText, v)
	case []any:
		var list []byte
		for _, item := range v {
			list = message(list, items, encodeValue(item))
		}
		return message(nil, valueList, list)
	case member:
		return message(message(nil, pairKey, encodeValue(v.name)), pairValue, encodeValue(v.value))
	case object:
		var dict []byte
		for _, m := range v {
			dict = message(dict, pairs, encodeValue(m))
		}
		return message(nil, valueDict, dict)
	}
	panic(fmt.Sprintf("a value of type %T", v))
}

// object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

// decodeValue is the reverse; it returns what encoding/json would decode.
func decodeValue(data []byte) (any, error) {
	all, err := fields(data)
	if err != nil || len(all) != 1 {
		return nil, errors.Join(err, errors.New("a value without a kind"))
	}
	f := all[0]
	switch f.id {
	case valueBool:
		return f.number != 0, nil
	case valueInt:
		return float64(int64(f.number>>1) ^ -int64(f.number&1)), nil
	case valueFloat:
		return math.Float64frombits(f.number), nil
	case valueText:
		return string(f.data), nil
	case valueList:
		parts, err := fields(f.data)
		if err != nil {
			return nil, err
		}
		list := []any{}
		for _, part := range parts {
			item, err := decodeValue(part.data)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		return list, nil
	case valueDict:
		return decodeDict(f.data)
	}
	return nil, fmt.Errorf("a value of kind %d", f.id)
}

func decodeDict(data []byte) (any, error) {
	parts, err := fields(data)
	if err != nil {
		return nil, err
	}
	dict := map[string]any{}
	for _, part := range parts {
		pair, err := fields(part.data)
		if err != nil || len(pair) != 2 {
			return nil, errors.Join(err, errors.New("a pair that is none"))
		}
		key, err := decodeValue(pair[0].data)
		if err != nil {
			return nil, err
		}
		if dict[fmt.Sprint(key)], err = decodeValue(pair[1].data); err != nil {
			return nil, err
		}
	}
	return dict, nil
}
