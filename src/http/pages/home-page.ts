/** The page at `/` where the dashboard is not built. It loads no other resource. */
export const homePage = (): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callwright</title>
<style>
  :root { color-scheme: light dark }
  body { max-width: 38rem; margin: 12vh auto; padding: 0 1.5rem; font: 1.05rem/1.6 system-ui, sans-serif }
  a { color: inherit }
  code { font-size: .95em }
</style>
<main>
  <h1>Callwright</h1>
  <p>AI voice agents on the phone. The service is running.</p>
  <ul>
    <li><a href="/docs">API reference</a>, also as <a href="/openapi.json">OpenAPI 3.1</a></li>
    <li><a href="/readyz">Readiness</a> and <a href="/metrics">metrics</a></li>
  </ul>
  <p>Send the workspace key as <code>X-API-KEY</code> to <code>/api/v0</code>. The dashboard is not built: run <code>scripts/setup.sh</code>, or <code>npm run build:web</code>, and start again.</p>
</main>
</html>
`;
