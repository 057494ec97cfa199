package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// A session is the one connection that writes. It speaks to the driver itself:
// database/sql keeps a pool and its locks in between, which costs as much as a small
// statement. It is not safe for concurrent use.
//
// No context reaches SQLite from here: an interrupt in the middle of a commit would
// leave its end unknown.
type session struct {
	conn  driver.Conn
	stmts map[string]driver.Stmt
	args  []driver.NamedValue // of the statement that runs
}

func newSession(conn driver.Conn) *session {
	return &session{conn: conn, stmts: make(map[string]driver.Stmt)}
}

func (s *session) close() error {
	var errs []error
	for _, stmt := range s.stmts {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, s.conn.Close())...)
}

// stmt returns query prepared, and keeps it. The set of queries is that of this
// package, with the columns that calls change.
func (s *session) stmt(query string) (driver.Stmt, error) {
	if stmt, ok := s.stmts[query]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.Prepare(query)
	if err == nil {
		s.stmts[query] = stmt
	}
	return stmt, err
}

func (s *session) exec(query string, args ...any) (driver.Result, error) {
	stmt, err := s.stmt(query)
	if err != nil {
		return nil, err
	}
	if err := s.bind(args); err != nil {
		return nil, err
	}
	return stmt.(driver.StmtExecContext).ExecContext(context.Background(), s.args)
}

func (s *session) query(query string, args ...any) (*cursor, error) {
	stmt, err := s.stmt(query)
	if err != nil {
		return nil, err
	}
	if err := s.bind(args); err != nil {
		return nil, err
	}
	rows, err := stmt.(driver.StmtQueryContext).QueryContext(context.Background(), s.args)
	if err != nil {
		return nil, err
	}
	return &cursor{rows: rows, row: make([]driver.Value, len(rows.Columns()))}, nil
}

// number returns the one number that query asks for.
func (s *session) number(query string) (n int64, err error) {
	c, err := s.query(query)
	if err != nil {
		return 0, err
	}
	if c.Next() {
		err = c.Scan(&n)
	}
	return n, errors.Join(err, c.Close(), c.Err())
}

// bind turns what callers pass into what a driver takes.
func (s *session) bind(args []any) error {
	s.args = s.args[:0]
	for i, arg := range args {
		v, err := value(arg)
		if err != nil {
			return fmt.Errorf("argument %d: %w", i+1, err)
		}
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return nil
}

func value(arg any) (driver.Value, error) {
	switch arg.(type) {
	case nil, int64, string, bool, []byte:
		return arg, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(arg)
}

// A cursor walks over what a query gives.
type cursor struct {
	rows driver.Rows
	row  []driver.Value
	err  error
}

// Next goes to the next row and reports false after the last one or an error.
func (c *cursor) Next() bool {
	if c.err != nil {
		return false
	}
	c.err = c.rows.Next(c.row)
	return c.err == nil
}

// Err returns the error that ended the walk, if one did.
func (c *cursor) Err() error {
	if errors.Is(c.err, io.EOF) {
		return nil
	}
	return c.err
}

// Close frees the statement for its next use.
func (c *cursor) Close() error { return c.rows.Close() }

// Scan copies the row into dest, which are pointers as those of [sql.Rows.Scan].
func (c *cursor) Scan(dest ...any) error {
	if len(dest) != len(c.row) {
		return fmt.Errorf("%d columns for %d destinations", len(c.row), len(dest))
	}
	for i, to := range dest {
		if err := scanInto(to, c.row[i]); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// scanInto copies what SQLite gave into the variable that to points to.
func scanInto(to any, v driver.Value) error {
	switch to := to.(type) {
	case sql.Scanner:
		return to.Scan(v)
	case *int64:
		n, ok := v.(int64)
		if *to = n; ok {
			return nil
		}
	case *int:
		n, ok := v.(int64)
		if *to = int(n); ok && int64(*to) == n {
			return nil
		}
	case *bool:
		n, ok := v.(int64)
		if *to = n == 1; ok && (n == 0 || n == 1) {
			return nil
		}
	case *[]byte:
		b, ok := v.([]byte)
		if *to = b; ok || v == nil {
			return nil
		}
	default:
		return scanString(to, v)
	}
	return fmt.Errorf("a %T does not fit a %T", v, to)
}

// scanString copies text into a string of any name.
func scanString(to any, v driver.Value) error {
	p := reflect.ValueOf(to)
	text, ok := v.(string)
	if b, is := v.([]byte); is {
		text, ok = string(b), true
	}
	if !ok || p.Kind() != reflect.Pointer || p.Elem().Kind() != reflect.String {
		return fmt.Errorf("a %T does not fit a %T", v, to)
	}
	p.Elem().SetString(text)
	return nil
}
