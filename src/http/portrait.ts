/** A voice's picture: its initial on a colour of its own. */
export function portrait(voice: { id: string; name: string }): string {
  const hue = Number.parseInt(voice.id.slice(0, 4), 16) % 360;
  const initial = voice.name.replace(/[^\p{L}]/gu, '').slice(0, 1) || 'V';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" role="img"><rect width="96" height="96" rx="48" fill="hsl(${hue} 45% 40%)"/><text x="48" y="62" font-family="sans-serif" font-size="40" fill="#fff" text-anchor="middle">${initial}</text></svg>`;
}
