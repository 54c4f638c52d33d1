package op

// save writes the keys; the index is made anew by load.
func (t *keyTable) save(w *stateWriter) {
	w.count(t.n)
	if len(t.types) == 0 {
		return
	}
	w.count(t.rest + 1)
	if t.scoped {
		for _, s := range t.scope {
			w.u32(s)
		}
	}
	if len(t.types) == 1 && !t.types[0].Bytes() {
		for i := range t.n {
			v := t.number(i)
			w.u8(v.class)
			w.i64(v.lo)
			if v.kind() == kindHuge {
				w.i64(v.hi)
			}
		}
		return
	}
	w.count(t.null + 1)
	for i := range t.n {
		w.bytes(t.key(i))
	}
}

// load reads the keys into an empty table. Keys that are malformed or come twice fail.
func (t *keyTable) load(r *stateReader) {
	if len(t.types) == 0 {
		n := r.count(1)
		r.require(n <= 1)
		t.n = n
		return
	}
	n := r.count(1)
	rest := r.count(1) - 1
	r.require(rest < n && (rest < 0 || !t.scoped))
	scopes := make([]uint32, n)
	if t.scoped {
		for i := range scopes {
			scopes[i] = r.u32()
		}
	}
	if len(t.types) == 1 && !t.types[0].Bytes() {
		t.loadNumbers(r, scopes, rest)
		return
	}
	null := r.count(1) - 1
	for i := range scopes {
		if r.err != nil {
			return
		}
		if i == rest {
			r.bytes()
			t.reserve()
			continue
		}
		t.loadBytes(r, i, scopes[i], i == null && !t.scoped && len(t.types) == 1)
	}
}

func (t *keyTable) loadNumbers(r *stateReader, scopes []uint32, rest int) {
	numeric := t.types[0].Numeric()
	for i, scope := range scopes {
		v := number{class: r.u8(), lo: r.i64()}
		if v.kind() == kindHuge {
			v.hi = r.i64()
		}
		r.require(validClass(v.class) && (numeric || v.class == kindInt || v.class == kindNull))
		if r.err != nil {
			return
		}
		if i == rest {
			t.reserve()
			continue
		}
		id := t.findNumber(uint32(t.scopedHash(v.hash(), scope)), scope, v)
		r.require(int(id) == i)
	}
}

func (t *keyTable) loadBytes(r *stateReader, i int, scope uint32, null bool) {
	key := r.bytes()
	if null {
		r.require(len(key) == 0 && int(t.findNull()) == i)
		return
	}
	same := len(key)
	if len(t.types) > 1 {
		r.require(t.wellFormed(key))
		if r.err != nil {
			return
		}
		same -= t.shown()
	}
	id := t.findBytes(uint32(t.scopedHash(hashBytes(key[:same]), scope)), scope, key, same)
	r.require(int(id) == i)
}
