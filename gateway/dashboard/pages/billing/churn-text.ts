import type { Schemas } from '../../core/api.ts'
import { count, percent } from '../../core/format.ts'
import { t } from '../../core/language.ts'

type Churn = Pick<Schemas['RecurringOverview'], 'churnBps' | 'cancelledLast30Days' | 'activeBefore'>

/** The share of subscriptions that were cancelled, with what it is a share of; a dash where there was nothing to cancel. */
export const churnText = ({ churnBps, cancelledLast30Days, activeBefore }: Churn): string =>
  activeBefore === 0
    ? `${t.home.churn} –`
    : `${t.home.churn} ${percent(churnBps)} (${t.home.ofActiveBefore(count(cancelledLast30Days), count(activeBefore))})`
