import type { Endpoint } from '../src/http/pages/reference/document.ts';

/** Always refused: keys are made in the dashboard (interface, Authentication). */
const REFUSED = 'rotateKey';

/** What the workspace key opens. The key of a web page (`webcallKey`) belongs into a browser, not into an SDK. */
export const isForKeys = ({ path, operationId, security }: Endpoint): boolean =>
  path.startsWith('/api/') &&
  operationId !== REFUSED &&
  (security === undefined || security.some((scheme) => 'apiKey' in scheme));

/** What only sessions open; the other operations of the dashboard are those of the SDKs. */
export const isForDashboard = (endpoint: Endpoint): boolean =>
  endpoint.path.startsWith('/dashboard-api/') ||
  (!isForKeys(endpoint) && endpoint.security?.some((scheme) => 'session' in scheme) === true);
