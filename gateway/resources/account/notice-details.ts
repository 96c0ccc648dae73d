import type { PeopleNotice } from '../../../engine/notices/notice.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'

/** The details of a notice with their personal texts opened. */
export const openDetails = (details: PeopleNotice['details'], open: OpenPersonal): PeopleNotice['details'] =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? open(value) : value]),
  )
