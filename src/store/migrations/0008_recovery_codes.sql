-- Recovery codes had 40 bits and were kept as plain SHA-256, so whoever reads the table finds them in seconds. They end:
-- people turn two-step sign-in off and on again for new ones, which have 80 bits and are kept as Argon2id.
update users set recovery_codes = '{}' where recovery_codes <> '{}';
