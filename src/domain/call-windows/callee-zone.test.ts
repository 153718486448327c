import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { zonesOfNumber } from './callee-zone.ts';
import { isValidZone } from '@callwright/language';

const ANYWHERE = zonesOfNumber('+18002345678');

/** Area codes out of which the numbering plan's own data knows a geographic number. */
function assignedAreaCodes(): string[] {
  const exchanges = ['234', '255', '334', '446', '456', '546', '634', '668', '734', '834', '934'];
  const codes = Array.from({ length: 800 }, (_, index) => String(200 + index));
  return codes.filter((code) =>
    exchanges.some((exchange) => {
      const number = parsePhoneNumberFromString(`+1${code}${exchange}5678`);
      const type = number?.isValid() === true ? number.getType() : undefined;
      return type === 'FIXED_LINE_OR_MOBILE' || type === 'FIXED_LINE' || type === 'MOBILE';
    }),
  );
}

describe('the time zones of a number', () => {
  it('exist for every country of the numbering plans and in this system', () => {
    const countries = getCountries();
    expect(countries.length).toBeGreaterThan(240);
    const unknown = countries.filter((country) => {
      const number = getExampleNumber(country, examples)?.number;
      const zones = number === undefined ? [] : zonesOfNumber(number);
      return zones.length === 0 || !zones.every(isValidZone);
    });
    expect(unknown).toEqual([]);
  });
  it('are listed for every assigned area code of North America', () => {
    const codes = assignedAreaCodes();
    expect(codes.length).toBeGreaterThan(430);
    expect(codes.filter((code) => zonesOfNumber(`+1${code}2345678`) === ANYWHERE)).toEqual([]);
    expect(ANYWHERE).toEqual(expect.arrayContaining(['America/St_Johns', 'Pacific/Honolulu']));
  });
  it.each([
    ['+919812345678', ['Asia/Kolkata']],
    ['+12125550100', ['America/New_York']],
    ['+18505550100', ['America/New_York', 'America/Chicago']],
    ['+14165550100', ['America/Toronto']],
    ['+16715550100', ['Pacific/Guam']],
    ['+61892345678', ['Australia/Perth']],
    ['+61391234567', ['Australia/Melbourne']],
    ['+5568999123456', ['America/Rio_Branco']],
    ['+77011234567', ['Asia/Almaty']],
    ['+73431234567', ['Asia/Yekaterinburg']],
    ['+34928123456', ['Atlantic/Canary']],
    ['+34612345678', ['Europe/Madrid', 'Atlantic/Canary']],
    ['+351296123456', ['Atlantic/Azores']],
    ['+529981234567', ['America/Cancun']],
    ['+526561234567', ['America/Ciudad_Juarez']],
    ['+62361123456', ['Asia/Makassar']],
    ['+6433051234', ['Pacific/Chatham']],
    ['+243812345678', ['Africa/Kinshasa', 'Africa/Lubumbashi']],
    ['+97670123456', ['Asia/Ulaanbaatar', 'Asia/Hovd']],
    ['+870773111632', []],
    ['+80012345678', []],
  ])('%s: %j', (number, zones) => expect(zonesOfNumber(number)).toEqual(zones));
});
