package op

import (
	"time"

	"github.com/aurora-dsms/aurora/engine/tuple"
)

func saveSample(w *stateWriter, sample []tuple.Stratum) {
	saveList(w, sample, func(s tuple.Stratum) {
		w.u32(s.ID)
		w.i64(s.Offered)
		w.i64(s.Kept)
	})
}

func loadSample(r *stateReader) []tuple.Stratum {
	return loadList(r, 20, func() tuple.Stratum {
		return tuple.Stratum{ID: r.u32(), Offered: r.i64(), Kept: r.i64()}
	})
}

// saveSchema writes what an emitted block says of its columns; nil is a schema without any.
func saveSchema(w *stateWriter, s *tuple.Schema) {
	if s == nil {
		s = &tuple.Schema{}
	}
	saveList(w, s.Fields, func(f tuple.Field) {
		w.bytes([]byte(f.Name))
		w.u8(uint8(f.Type))
		zone := ""
		if f.Zone != nil {
			zone = f.Zone.String()
		}
		w.bytes([]byte(zone))
	})
}

func loadSchema(r *stateReader) *tuple.Schema {
	fields := loadList(r, 3, func() tuple.Field {
		f := tuple.Field{Name: string(r.bytes()), Type: tuple.Type(r.u8())}
		if zone := string(r.bytes()); zone != "" && r.err == nil {
			var err error
			f.Zone, err = time.LoadLocation(zone)
			r.require(err == nil)
		}
		return f
	})
	if len(fields) == 0 {
		return nil
	}
	return &tuple.Schema{Fields: fields}
}
