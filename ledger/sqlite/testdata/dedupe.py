#!/usr/bin/env python3
"""Run an action at most once per key, even when the trigger fires twice.

  python3 dedupe.py claim KEY     exit 0: you own KEY, do the work
                                  exit 1: KEY is done or someone else is on it
  python3 dedupe.py done KEY      mark KEY finished (call after the work succeeds)
  python3 dedupe.py release KEY   give KEY back (call when the work failed)
  python3 dedupe.py prune DAYS    forget finished keys older than DAYS days
  Any error (empty key, unreadable file) exits 2: treat it as a failure, not a skip.

The ledger is one SQLite file (default seen.db, or --db PATH). A claim that is
older than --lease seconds (default 900) and never marked done counts as
abandoned, so a run that crashed halfway does not block the key forever.
"""
import argparse, sqlite3, sys, time

SCHEMA = """CREATE TABLE IF NOT EXISTS seen (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL,          -- 'claimed' or 'done'
  claimed_at REAL NOT NULL,     -- Unix seconds, so time zones never matter
  done_at REAL
)"""

def connect(path):
    con = sqlite3.connect(path, timeout=30, isolation_level=None)
    con.execute("PRAGMA journal_mode=WAL")
    con.execute(SCHEMA)
    return con

def claim(con, key, lease=900.0, now=None):
    if not key or not key.strip():
        raise ValueError("empty key: refuse to guess, fix the key mapping")
    now = time.time() if now is None else now
    con.execute("BEGIN IMMEDIATE")          # one writer at a time: no race
    try:
        row = con.execute("SELECT state, claimed_at FROM seen WHERE key=?", (key,)).fetchone()
        if row is None:
            con.execute("INSERT INTO seen VALUES (?, 'claimed', ?, NULL)", (key, now))
            con.execute("COMMIT"); return True
        state, claimed_at = row
        if state == "claimed" and now - claimed_at > lease:
            con.execute("UPDATE seen SET claimed_at=? WHERE key=?", (now, key))
            con.execute("COMMIT"); return True
        con.execute("COMMIT"); return False
    except BaseException:
        con.execute("ROLLBACK"); raise

def done(con, key):
    con.execute("UPDATE seen SET state='done', done_at=? WHERE key=?", (time.time(), key))

def release(con, key):
    con.execute("DELETE FROM seen WHERE key=? AND state='claimed'", (key,))

def prune(con, days, now=None):
    now = time.time() if now is None else now
    return con.execute("DELETE FROM seen WHERE state='done' AND done_at < ?",
                       (now - float(days) * 86400,)).rowcount

if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--db", default="seen.db")
    p.add_argument("--lease", type=float, default=900.0)
    p.add_argument("command", choices=["claim", "done", "release", "prune"])
    p.add_argument("key", help="the dedupe key, or DAYS for prune")
    a = p.parse_args()
    try:
        con = connect(a.db)
        if a.command == "claim":
            ok = claim(con, a.key, a.lease)
            print("claimed" if ok else "skip: already seen")
            sys.exit(0 if ok else 1)
        if a.command == "prune":
            print("pruned", prune(con, a.key)); sys.exit(0)
        (done if a.command == "done" else release)(con, a.key)
        print(a.command, a.key)
    except (ValueError, sqlite3.Error) as e:
        print("error:", e, file=sys.stderr); sys.exit(2)
