import type { ComponentChildren } from 'preact'
import { api, dataOf, type Schemas } from '../../core/api.ts'
import { count, documentNumber } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { refresh, useGet } from '../../core/query.ts'
import { Facts, Moment } from '../../parts/basics.tsx'
import { Field, Form, requiredError, useForm } from '../../parts/form.tsx'

export type Lookup = Schemas['PixLookup']

/** Asks the directory who owns a PIX key, so that a person sees who is paid. */
export const LookUp = ({
  isFirst = false,
  onFound,
}: {
  isFirst?: boolean
  onFound: (found: Lookup) => void
}) => {
  const quota = useGet('/v1/pix/lookups/quota')
  const form = useForm(
    { key: '' },
    async ({ key }) => {
      try {
        onFound(await dataOf(api.POST('/v1/pix/lookups', { body: { key: key!.trim() } })))
      } finally {
        refresh('/v1/pix/lookups')
      }
    },
    ({ key }) => ({ key: requiredError(key) }),
  )
  const tokens = quota.data?.tokens ?? lowTokens
  return (
    <Form of={form} submit={t.money.lookUp}>
      <Field
        form={form}
        name="key"
        label={t.money.pixKey}
        hint={tokens < lowTokens ? t.money.quota(count(tokens)) : t.money.pixKeyHint}
        autoComplete="off"
        isFirst={isFirst}
      />
    </Form>
  )
}

/** Below this many tokens, the hint says that look-ups are rationed. */
const lowTokens = 200

/** Who owns a key, before anything is sent. */
export const Owner = ({ of, children }: { of: Lookup; children?: ComponentChildren }) => (
  <div class="payee-card">
    <strong>{of.name}</strong>
    <Facts
      of={[
        [t.common.document, documentNumber(of.document)],
        [t.money.bank, of.bankName],
        [t.money.pixKey, of.key],
        [t.money.ownedSince, <Moment key="since" at={of.ownedSince} style="day" />],
      ]}
    />
    {children}
  </div>
)
