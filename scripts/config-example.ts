import { writeFileSync } from 'node:fs';
import { exampleEnv } from '../src/config/example-env.ts';

/** Writes config.example.env from the settings table; src/config.test.ts checks that it is up to date. */
writeFileSync(new URL('../config.example.env', import.meta.url), exampleEnv());
