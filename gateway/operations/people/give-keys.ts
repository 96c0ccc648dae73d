import { newPersonKey } from '../../identity/personal-texts.ts'
import type { PeopleOptions } from './people-options.ts'

/** Gives a key to people who were stored before keys existed, so that later records about them are sealed. */
export const giveKeys = async ({
  directory: { people },
  commit,
  masterKey,
  randomBytes,
  realNow,
}: Pick<PeopleOptions, 'directory' | 'commit' | 'masterKey' | 'randomBytes' | 'realNow'>): Promise<void> => {
  for (const { id, sealedKey } of people.persons.values())
    if (sealedKey === null)
      await commit(() => {
        if (people.persons.get(id)?.sealedKey !== null) return null
        const changes = { sealedKey: newPersonKey(id, masterKey, randomBytes) }
        return { type: 'PersonChanged', id, changes, atMs: realNow() }
      })
}
