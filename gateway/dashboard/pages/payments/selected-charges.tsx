import { post, withId } from '../../core/api.ts'
import { t } from '../../core/language.ts'
import { can } from '../../core/session.ts'
import type { BulkAct } from '../../parts/bulk.tsx'
import { CsvButton } from '../../parts/buttons.tsx'

/** Cancels charges that are not paid yet. */
export const cancelCharges = <Row extends { readonly id: string }>(
  fits: (row: Row) => boolean,
): readonly BulkAct<Row>[] =>
  can('charges.create')
    ? [
        {
          text: t.bulk.cancel,
          icon: 'ban',
          lead: t.bulk.cancelLead,
          tone: 'danger',
          fits,
          act: ({ id }) => post('/v1/transactions/{id}/cancel', { ...withId(id), body: {} }),
          changes: '/v1/',
        },
      ]
    : []

/** The selected transactions as a file. */
export const exportSelected = (rows: readonly { readonly id: string }[]) =>
  can('transactions.export') && (
    <CsvButton
      path="/v1/transactions/export"
      query={{ format: 'csv', id: rows.map(({ id }) => id).join() }}
      text={t.bulk.exported}
    />
  )
