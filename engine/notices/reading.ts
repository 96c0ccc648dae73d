import type { PersonId } from '../shared/ids.ts'
import type { NoticeReader } from './account-part.ts'
import type { NoticeKind, PeopleNotice } from './notice.ts'

/** Whether a notice is for a person, by its label. */
export const isFor = (label: string, personId: PersonId, kinds: readonly NoticeKind[]): boolean => {
  const [kind, only] = label.split('/')
  return only === undefined ? kinds.includes(kind as NoticeKind) : only === personId
}

/** When a person has read a notice, alone or with all others; null if they have not. */
export const readAtMsOf = (
  { readBy, createdAtMs }: PeopleNotice,
  personId: PersonId,
  reader: NoticeReader | undefined,
): number | null => {
  const reading = readBy.find((reading) => reading.personId === personId)
  if (reading !== undefined) return reading.atMs
  const readUpToMs = reader?.readUpToMs ?? null
  return readUpToMs !== null && createdAtMs <= readUpToMs ? readUpToMs : null
}
