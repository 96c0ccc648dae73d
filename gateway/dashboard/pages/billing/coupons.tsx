import { useState } from 'preact/hooks'
import { get, type Schemas } from '../../core/api.ts'
import { count, day, money, percent } from '../../core/format.ts'
import { cents } from '../../core/inputs.ts'
import { t } from '../../core/language.ts'
import { can } from '../../core/session.ts'
import { Button, Copy, Empty } from '../../parts/basics.tsx'
import { EditButton } from '../../parts/buttons.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { type Closable, Dialog } from '../../parts/dialog.tsx'
import { statusFilter } from '../../parts/filter.ts'
import { amountError, Field, Form, MoneyField, requiredError, useForm } from '../../parts/form.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { statusColumn } from '../../parts/table.tsx'
import { CouponDialog } from './coupon-dialog.tsx'

type Coupon = Schemas['Coupon']

/** What a coupon takes off, and for how long. */
const discountText = ({ percentBps, amountOff, duration, durationCycles }: Coupon): string => {
  const off = percentBps === null ? money(amountOff ?? '0') : percent(percentBps)
  return `${off} · ${duration === 'REPEATING' ? t.coupons.cycles(durationCycles ?? 0) : t.coupons.duration[duration]}`
}

const usesText = ({ redemptionsCount, maxRedemptions }: Coupon): string =>
  [redemptionsCount, ...(maxRedemptions === null ? [] : [maxRedemptions])].map(count).join(' / ')

const statuses = ['ACTIVE', 'SCHEDULED', 'EXPIRED', 'EXHAUSTED', 'INACTIVE'] as const

/** Coupons, with how often each was used. */
export const Coupons = () => {
  const query = useList('/v1/coupons', ['from', 'to', 'active', 'status', 'q'])
  const dialog = useDialog(query.filters)
  const edited = query.data?.data.find(({ id }) => id === dialog.open) ?? null
  const isManager = can('subscriptions.manage')
  const create = createButton('subscriptions.manage', t.coupons.create, dialog.show)
  return (
    <ListPage
      title={t.nav.coupons}
      actions={
        <>
          <Button icon="check" onClick={() => dialog.show('testar')} text={t.coupons.test} />
          {create}
        </>
      }
      query={query}
      search={t.coupons.search}
      filterBy={[statusFilter(statuses, 'coupon')]}
      columns={[
        [
          'code',
          t.coupons.code,
          ({ code, name }) => (
            <>
              <Copy text={code} /> {name && <small class="sub">{name}</small>}
            </>
          ),
        ],
        ['discount', t.coupons.discount, discountText],
        statusColumn(undefined, 'medium'),
        ['used', t.coupons.used, usesText, 'medium'],
        [
          'expires',
          t.coupons.expires,
          ({ expiresAt }) => (expiresAt ? day(expiresAt.slice(0, 10)) : t.common.never),
          'wide',
        ],
        [
          'actions',
          '',
          ({ id, code }) => isManager && <EditButton name={code} onClick={() => dialog.show(id)} />,
          'end',
        ],
      ]}
      empty={<Empty icon="tag" title={t.coupons.none} text={t.coupons.noneText} actions={create} />}
    >
      {dialog.open === '1' && <CouponDialog coupon={null} onClose={dialog.close} />}
      {dialog.open === 'testar' && <TestDialog onClose={dialog.close} />}
      {edited && <CouponDialog key={edited.id} coupon={edited} onClose={dialog.close} />}
    </ListPage>
  )
}

const TestDialog = ({ onClose }: Closable) => {
  const [found, setFound] = useState<Schemas['CouponValidation'] | null>(null)
  const form = useForm(
    { code: '', amount: '' },
    async ({ code, amount }) => {
      const query = { code: code!.trim(), ...(amount && { amount: Number(cents(amount)) }) }
      setFound(await get('/v1/coupons/validate', { params: { query } }))
    },
    ({ code, amount }) => ({ code: requiredError(code), amount: amountError(amount, true) }),
  )
  return (
    <Dialog title={t.coupons.test} onClose={onClose}>
      <p class="hint">{t.coupons.testText}</p>
      <Form of={form} submit={t.hooks.test}>
        <div class="form-row">
          <Field name="code" label={t.coupons.code} isFirst autoComplete="off" />
          <MoneyField name="amount" label={t.common.amount} isOptional />
        </div>
      </Form>
      {found && (
        <p role="status" class={found.valid ? 'notice-line calm' : 'notice-line'}>
          <strong>{found.valid ? t.coupons.valid : t.coupons.reason[found.reason ?? 'NOT_FOUND']}</strong>
          {found.valid && found.finalAmount && (
            <span>
              {money(found.amount ?? '0')} − {money(found.discountAmount ?? '0')} = {money(found.finalAmount)}
            </span>
          )}
        </p>
      )}
    </Dialog>
  )
}
