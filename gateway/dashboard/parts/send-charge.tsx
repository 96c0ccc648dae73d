import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../core/api.ts'
import { digitableLine, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import { isSandbox } from '../core/router.ts'
import { can, sessionStore } from '../core/session.ts'
import { Button } from './basics.tsx'
import { type Closable, FormDialog } from './dialog.tsx'
import { Choice } from './form.tsx'

type Detail = Schemas['TransactionDetail']

/** Ways to bring a charge to its payer, beside copying: the browser's own menu, and mail. */
export const SendCharge = ({ of }: { of: Detail }) => {
  const [isMailing, setMailing] = useState(false)
  const text = of.boleto?.digitableLine ? digitableLine(of.boleto.digitableLine) : of.pix?.copyPaste
  if (!text) return null
  const missing = whyNotMailed(of)
  return (
    <>
      <div class="actions">
        {'share' in navigator && (
          <Button
            icon="external"
            // Closing the menu without a choice rejects.
            onClick={() =>
              void navigator.share({ title: money(of.amount, of.currency), text }).catch(() => undefined)
            }
            text={t.send.share}
          />
        )}
        {can('charges.create') && missing === null && (
          <Button icon="send" onClick={() => setMailing(true)} text={t.send.mail} />
        )}
      </div>
      {can('charges.create') && missing && <p class="hint">{missing}</p>}
      {isMailing && <MailDialog of={of} onClose={() => setMailing(false)} />}
    </>
  )
}

const whyNotMailed = ({ customer }: Detail): string | null => {
  if (!sessionStore.get()?.sendsMail) return t.send.notSetUp
  return customer?.email ? null : t.send.noEmail
}

const MailDialog = ({ of: { id, customer }, onClose }: Closable & { of: Detail }) => (
  <FormDialog
    title={t.send.mail}
    lead={t.send.lead(customer!.email!)}
    hint={isSandbox() ? t.send.test : null}
    submit={t.send.confirm}
    values={{ language: 'pt' }}
    send={(values) =>
      post('/v1/transactions/{id}/send', {
        ...withId(id),
        body: { language: values.language as 'pt' | 'en' },
      })
    }
    changes="/v1/transactions"
    done={t.send.done}
    onClose={onClose}
  >
    <Choice name="language" label={t.send.language} of={Object.entries(t.send.languages)} />
  </FormDialog>
)
