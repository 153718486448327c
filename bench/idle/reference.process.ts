import { createServer } from 'node:http';
import { Client } from 'pg';

/** The least that a service with a database does: an HTTP server without requests, and one statement a second. */
const client = new Client({ connectionString: process.env['DATABASE_URL'], application_name: 'bench' });
await client.connect();
createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
setInterval(() => void client.query('select 1'), 1_000);
// Ends with the bench, however that ends.
process.stdin.on('end', () => process.exit()).resume();
