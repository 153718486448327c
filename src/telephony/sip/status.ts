/** Reason phrases of the codes this stack sends (RFC 3261 section 21 and the registry). */
const REASONS: ReadonlyMap<number, string> = new Map([
  [100, 'Trying'],
  [180, 'Ringing'],
  [183, 'Session Progress'],
  [200, 'OK'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [415, 'Unsupported Media Type'],
  [416, 'Unsupported URI Scheme'],
  [420, 'Bad Extension'],
  [480, 'Temporarily Unavailable'],
  [481, 'Call/Transaction Does Not Exist'],
  [482, 'Loop Detected'],
  [483, 'Too Many Hops'],
  [484, 'Address Incomplete'],
  [486, 'Busy Here'],
  [487, 'Request Terminated'],
  [488, 'Not Acceptable Here'],
  [491, 'Request Pending'],
  [500, 'Server Internal Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [505, 'Version Not Supported'],
  [513, 'Message Too Large'],
  [600, 'Busy Everywhere'],
  [603, 'Decline'],
]);

const CLASSES = ['', 'Progress', 'OK', 'Redirection', 'Client Error', 'Server Error', 'Global Failure'];

export const reasonFor = (status: number): string =>
  REASONS.get(status) ?? CLASSES[Math.floor(status / 100)] ?? 'Unknown';
