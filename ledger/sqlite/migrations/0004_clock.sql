-- 0004: the script's view of time is the ledger's. Time is ahead of the machine's
-- clock by clock.offset, after that was set back, and never before clock.high. A clock
-- that has come back by half of what it lacked was set right. A grant that was live
-- when the gap from clock.gap_begin to clock.gap_end began, while the machine slept or
-- no engine ran, may not be taken over before the shorter of its time and two minutes
-- after it.

CREATE VIEW ledger_clock AS
SELECT CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) AS wall,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'clock.high'), 0) AS high,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'clock.offset'), 0) AS behind;

DROP VIEW ledger_now;
CREATE VIEW ledger_now AS
SELECT max(high, wall + CASE WHEN behind > 30000 AND wall >= high - behind / 2 THEN 0 ELSE behind END) AS ms,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'clock.gap_begin'), 0) AS gap_begin,
    coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'clock.gap_end'), 0) AS gap_end
FROM ledger_clock;

-- As in 0003, but for the gap.
DROP VIEW seen_keys;
CREATE VIEW seen_keys AS
SELECT c.*, n.ms AS now,
    c.state = 'retryable' AND c.next_try_at <= n.ms
        AND (r.max_attempts = 0 OR c.attempts < r.max_attempts) AS due,
    c.state = 'claimed' AND c.lease_until <= n.ms AND r.on_expiry = 'next'
        AND (r.max_attempts = 0 OR c.attempts < r.max_attempts)
        AND NOT (c.claimed_at < n.gap_end AND c.lease_until > n.gap_begin
            AND n.ms < n.gap_end + min(c.lease, 120000)) AS overdue
FROM claims AS c
CROSS JOIN rules AS r ON r.id = 1
CROSS JOIN ledger_now AS n
WHERE c.rule_id = 1;
