import type { CalendarDate } from '../shared/calendar.ts'
import type { AccountId } from '../shared/ids.ts'

export type Question<Type extends string> = { readonly type: Type; readonly accountId: AccountId }

export type Paging = DateRange & { readonly page: number; readonly pageSize: number }

/** Days in the company's time zone, both included, and a journal position that hides newer rows. */
export type DateRange = {
  readonly asOf: number | null
  readonly from: CalendarDate | null
  readonly to: CalendarDate | null
}

/** `asOf` is the journal position that the list was read at. */
export type Listed<State> = {
  readonly rows: readonly State[]
  readonly total: number
  readonly asOf: number
  /** Environment time. */
  readonly nowMs: number
}
