-- 0007: while a person keeps all grants paused, the script is given none either. What
-- it has in progress it may still report.

CREATE TRIGGER seen_claim_paused INSTEAD OF INSERT ON seen
WHEN EXISTS (SELECT 1 FROM settings WHERE name = 'ledger.paused')
BEGIN
    SELECT RAISE(ABORT, 'paused: nothing is let through');
END;

CREATE TRIGGER seen_takeover_paused INSTEAD OF UPDATE ON seen
WHEN NEW.state = 'claimed' AND EXISTS (SELECT 1 FROM settings WHERE name = 'ledger.paused')
BEGIN
    SELECT RAISE(ABORT, 'paused: nothing is let through');
END;
