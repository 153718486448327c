import { expect, it } from 'vitest';
import { PLACES } from './places.ts';
import { shortcutOf, type Press, type Shortcut } from './shortcuts.ts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrl: false,
  alt: false,
  isTyping: false,
  isOff: false,
  atMs: 0,
  ...more,
});
const does = (key: string, more: Partial<Press> = {}): Shortcut | null =>
  shortcutOf(press(key, more), null).shortcut;

it('maps single keys and combinations', () => {
  expect(does('?')).toEqual({ does: 'sheet' });
  expect(does('/')).toEqual({ does: 'search' });
  expect(does('j')).toEqual({ does: 'row', by: 1 });
  expect(does('k')).toEqual({ does: 'row', by: -1 });
  expect(does('z')).toEqual({ does: 'undo' });
  expect(does('K', { ctrl: true })).toEqual({ does: 'palette' });
  expect(does('F8')).toEqual({ does: 'messages' });
  expect(does('x')).toBeNull();
});

it('leaves letters to a field, and to readers who turned them off; Ctrl K and F8 stay', () => {
  for (const state of [{ isTyping: true }, { isOff: true }, { alt: true }]) {
    expect(['?', '/', 'j', 'k', 'z'].map((key) => does(key, state))).toEqual([null, null, null, null, null]);
    expect(shortcutOf(press('g', state), null).prefix).toBeNull();
  }
  for (const state of [{ isTyping: true }, { isOff: true }]) {
    expect(does('k', { ...state, ctrl: true })).toEqual({ does: 'palette' });
    expect(does('F8', state)).toEqual({ does: 'messages' });
  }
});

it('leaves other combinations with Ctrl to the browser', () => {
  expect(does('j', { ctrl: true })).toBeNull();
  expect(does('k', { ctrl: true, alt: true })).toBeNull();
});

it('opens a screen by g and its letter within 1.5 seconds', () => {
  const { shortcut, prefix } = shortcutOf(press('g', { atMs: 100 }), null);
  expect([shortcut, prefix]).toEqual([null, { key: 'g', atMs: 100 }]);
  expect(shortcutOf(press('c', { atMs: 1_600 }), prefix)).toEqual({
    shortcut: { does: 'go', to: '/calls' },
    prefix: null,
  });
  expect(shortcutOf(press('k', { atMs: 1_600 }), prefix).shortcut).toEqual({ does: 'go', to: '/knowledge' });
  expect(shortcutOf(press('k', { atMs: 1_601 }), prefix).shortcut).toEqual({ does: 'row', by: -1 });
  expect(shortcutOf(press('Shift', { atMs: 200 }), prefix).prefix).toEqual(prefix);
  expect(shortcutOf(press('1', { atMs: 200 }), prefix)).toEqual({ shortcut: null, prefix: null });
});

it('gives every screen a letter of its own', () => {
  const letters = PLACES.map(({ key }) => key);
  expect(new Set(letters).size).toBe(letters.length);
  expect(letters.filter((letter) => !/^[a-z]$/.test(letter))).toEqual([]);
});
