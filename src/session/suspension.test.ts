import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Suspension } from './suspension.ts';

it('suspends the conversation once for each stretch with a hold or a connection, in every order', () => {
  const moves = fc.array(
    fc.record({ who: fc.constantFrom('us', 'far side', 'connection'), isOn: fc.boolean() }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(moves, (all) => {
      let isConnected = false;
      const changes: boolean[] = [];
      const suspension = new Suspension({
        isConnected: () => isConnected,
        listenAgain: () => undefined,
        onChanged: (isSuspended) => changes.push(isSuspended),
      });
      const on = new Set<string>();
      for (const { who, isOn } of all) {
        if (isOn) on.add(who);
        else on.delete(who);
        if (who === 'us') suspension.holdUs(isOn, 1);
        else if (who === 'far side') suspension.holdFarSide(isOn, 1);
        else {
          isConnected = isOn;
          suspension.follow(1);
        }
        expect(suspension.isSuspended).toBe(on.size > 0);
        expect(changes.at(-1) ?? false).toBe(on.size > 0);
        // Music is for a far side that waits for us alone.
        expect(suspension.playsMusic).toBe(on.has('far side') && on.size === 1);
      }
      expect(changes.every((isSuspended, at) => isSuspended === (at % 2 === 0))).toBe(true);
    }),
  );
});
