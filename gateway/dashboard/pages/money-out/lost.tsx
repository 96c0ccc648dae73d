import { useState } from 'preact/hooks'
import { post, type Schemas, withId } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { money } from '../../core/format.ts'
import { refresh } from '../../core/query.ts'
import { can, sessionStore } from '../../core/session.ts'
import { Actor } from '../../parts/actor.tsx'
import { Button } from '../../parts/basics.tsx'
import { type Closable, FormDialog } from '../../parts/dialog.tsx'
import { Choice, Field, required } from '../../parts/form.tsx'
import { announce } from '../../parts/toasts.tsx'
import { saying, useConnectionTexts } from '../connections/connection-texts.tsx'

/** Money that was to be sent, to a payee or to a recipient. */
type Sent = Pick<Schemas['Transfer'], 'id' | 'amount' | 'lostAt' | 'declaration'> & {
  readonly status: string
}

/** Whether its bank can be asked no more what became of it. */
export const isLost = ({ status, lostAt }: Pick<Sent, 'status' | 'lostAt'>): boolean =>
  status === 'PROCESSING' && lostAt !== undefined

/** Who has declared it cannot confirm it, but may say something else. */
const isOfReader = (declaration: Sent['declaration']): boolean =>
  declaration !== undefined && declaration.declaredBy.id === sessionStore.get()?.person.id

/** Whether this person says what another one has said before: that decides it. */
const isConfirmation = (
  declaration: Sent['declaration'],
  { outcome, endToEndId }: Readonly<Record<string, string>>,
): boolean =>
  declaration !== undefined &&
  !isOfReader(declaration) &&
  outcome === declaration.outcome &&
  (outcome === 'NOT_SENT' || endToEndId?.trim() === declaration.endToEndId)

/** A transfer whose answer was lost: what people have said of it, and the button to say it. */
export const Lost = ({ of, payee }: { of: Sent; payee: string }) => {
  const { areThere } = useConnectionTexts()
  const [isOpen, setOpen] = useState(false)
  if (!isLost(of) || !areThere) return null
  const { declaration } = of
  const isOwn = isOfReader(declaration)
  return (
    <div class="notice-line warn">
      {declaration === undefined ? (
        <p>{saying.lost.waits}</p>
      ) : (
        <p>
          {isOwn ? (
            saying.lost.ownDeclared(saying.lost.outcomes[declaration.outcome], declaration.reason)
          ) : (
            <>
              <Actor of={declaration.declaredBy} />{' '}
              {saying.lost.declared(saying.lost.outcomes[declaration.outcome], declaration.reason)}
            </>
          )}
        </p>
      )}
      {can('transfers.approve') && (
        <Button
          icon="check"
          onClick={() => setOpen(true)}
          text={declaration === undefined || isOwn ? saying.lost.declare : saying.lost.confirm}
        />
      )}
      {isOpen && <DeclareDialog of={of} payee={payee} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The second person finds what the first one has declared, and may say something else. */
export const DeclareDialog = ({ of, payee, onClose }: Closable & { of: Sent; payee: string }) => {
  const { areThere } = useConnectionTexts()
  if (!areThere) return null
  const { declaration } = of
  return (
    <FormDialog
      title={declaration === undefined || isOfReader(declaration) ? saying.lost.declare : saying.lost.confirm}
      lead={
        declaration === undefined
          ? saying.lost.text
          : saying.lost.confirmText(saying.lost.outcomes[declaration.outcome], declaration.reason)
      }
      submit={({ values }) =>
        isConfirmation(declaration, values) ? saying.lost.confirm : saying.lost.declare
      }
      values={{
        // Nothing is chosen beforehand: either answer moves money.
        outcome: declaration?.outcome ?? '',
        endToEndId: declaration?.endToEndId ?? '',
        othersCount: '0',
        reason: '',
      }}
      check={(values) =>
        required('outcome', ...(values.outcome === 'SENT' ? ['endToEndId'] : []), 'reason')(values)
      }
      send={(values) => declare(of, payee, values)}
      onClose={onClose}
    >
      {({ values: { outcome } }) => (
        <>
          <Choice
            name="outcome"
            label={saying.lost.outcome}
            of={[['', saying.lost.choose], ...Object.entries(saying.lost.outcomes)]}
          />
          {outcome === 'SENT' && (
            <Field
              name="endToEndId"
              label={saying.lost.endToEndId}
              hint={saying.lost.endToEndIdHint}
              maxLength={32}
              autoComplete="off"
            />
          )}
          {outcome === 'NOT_SENT' && (
            <Field
              name="othersCount"
              label={saying.lost.othersCount}
              hint={saying.lost.othersCountHint}
              inputMode="numeric"
            />
          )}
          <Field name="reason" label={saying.lost.reason} maxLength={240} />
        </>
      )}
    </FormDialog>
  )
}

const declare = async (
  { id, amount }: Sent,
  payee: string,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  const isSent = values.outcome === 'SENT'
  const body = {
    outcome: isSent ? ('SENT' as const) : ('NOT_SENT' as const),
    reason: values.reason!.trim(),
    ...(isSent
      ? { endToEndId: values.endToEndId!.trim() }
      : { othersCount: Number(values.othersCount) || 0 }),
  }
  const facts = [
    [saying.lost.outcome, saying.lost.outcomes[body.outcome]],
    [payee, money(amount)],
  ] as const
  const after = await signing<{ readonly status: string }>(facts, () =>
    id.startsWith('trf_')
      ? post('/v1/transfers/{id}/declare', { ...withId(id), body })
      : post('/v1/split/transfers/{id}/declare', { ...withId(id), body }),
  )
  refresh('/v1/transfers', '/v1/split', '/v1/balance', '/v1/overview', '/v1/audit')
  announce(after.status === 'PROCESSING' ? saying.lost.proposed : saying.lost.done)
}
