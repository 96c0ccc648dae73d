import type { PeopleNotice } from '../../../engine/notices/notice.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'

/** What the text of a notice names, with the people in it. */
export const openDetails = (details: PeopleNotice['details'], open: OpenPersonal): PeopleNotice['details'] =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? open(value) : value]),
  )
