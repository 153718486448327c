import { expect, it } from 'vitest';
import { ownCommand } from './own-command.ts';

it('is run by npx where npm installed the package', () => {
  expect(ownCommand('file:///srv/phone/node_modules/callwright/src/shared/own-command.ts')).toBe(
    'npx callwright',
  );
});

it('is run from `bin` in a clone', () => {
  expect(ownCommand('file:///srv/callwright/src/shared/own-command.ts')).toBe('bin/callwright');
  expect(ownCommand()).toBe('bin/callwright');
});
