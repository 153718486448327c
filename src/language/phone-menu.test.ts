import { describe, expect, it } from 'vitest';
import { chosenKey, menuSteps } from './phone-menu.ts';

describe('the key of an option', () => {
  it.each([
    ['for sales press one for support press two', 'support', '2'],
    ['For billing, press 1. For outages, press 2. To speak to an agent, press 0.', 'agent', '0'],
    ['press 1 for sales, press 2 for the service department', 'service', '2'],
    ['press one for appointments or two for prescriptions', 'appointment', '1'],
    ['हिंदी के लिए एक दबाएं। अंग्रेज़ी के लिए दो दबाएं।', 'अंग्रेज़ी', '2'],
    ['untuk bahasa melayu tekan satu untuk pegawai tekan dua', 'pegawai', '2'],
  ])('in “%s” for %s is %s', (menu, option, key) => expect(chosenKey(menu, option)).toBe(key));

  it('is unknown while the menu has not named the option', () => {
    expect(chosenKey('for sales press one', 'billing')).toBeNull();
    expect(chosenKey('welcome to the bank', 'billing')).toBeNull();
  });
});

describe('the way through a menu in a task', () => {
  it.each([
    ['If a phone menu answers, press 2.', [{ keys: '2' }]],
    ['If an IVR answers, press 1 then 3, and confirm.', [{ keys: '1' }, { keys: '3' }]],
    ['In the menu enter 4521#.', [{ keys: '4521#' }]],
    ['If a menu answers, choose billing, then press 0.', [{ option: 'billing' }, { keys: '0' }]],
    ['When an automated system answers, select the option for "new orders".', [{ option: 'new orders' }]],
  ])('“%s”', (task, steps) => expect(menuSteps(task)).toEqual(steps));

  it('is empty for keys that the callee presses and for tasks without a menu', () => {
    expect(menuSteps('Ask them to press 1 to confirm. Choose a slot.')).toEqual([]);
    expect(menuSteps('')).toEqual([]);
  });
});
