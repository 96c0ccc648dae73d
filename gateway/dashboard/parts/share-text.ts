import type { Schemas } from '../core/api.ts'
import { money, percent } from '../core/format.ts'
import { t } from '../core/language.ts'

/** What a party of a split is given: a percentage, an amount, or the rest. */
export const shareText = ({
  percentBps,
  fixedAmount,
}: Pick<Schemas['SplitItem'], 'percentBps' | 'fixedAmount'>): string =>
  percentBps === null ? (fixedAmount === null ? t.split.rest : money(fixedAmount)) : percent(percentBps)
