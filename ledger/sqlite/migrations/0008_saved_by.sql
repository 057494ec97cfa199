-- 0008: who put a version of a rule to use; '' = from before this was kept.

ALTER TABLE rule_versions ADD COLUMN saved_by TEXT NOT NULL DEFAULT '' CHECK (typeof(saved_by) = 'text');
