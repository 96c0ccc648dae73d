import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, downloadPath } from '../../core/api.ts'
import { signing } from '../../core/factor.ts'
import { money } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { onChangeOf } from '../../core/live.ts'
import { type Query, refresh, useAction } from '../../core/query.ts'
import { currentPlace, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { HistoryButton } from '../../parts/actor.tsx'
import { Approvals, mayDecide, RejectDialog, WaitsForApproval } from '../../parts/approvals.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import {
  Amount,
  Button,
  Copy,
  Facts,
  LinkButton,
  Loading,
  Page,
  Section,
  Trouble,
} from '../../parts/basics.tsx'
import { announce } from '../../parts/toasts.tsx'
import { History } from '../account/history.tsx'
import type { MoneyOut, MoneyOutKind } from './kinds.ts'

type Texts = readonly (readonly [string, string])[]

/** The parts of the page that differ between kinds of money out. */
export type Shown = {
  readonly currency?: string
  readonly payee: string
  /** The payee's facts, and the other facts that an approval signs beside amount and fee. */
  readonly payeeFacts: Texts
  readonly signed: Texts
  readonly status: ComponentChildren
  readonly facts: Parameters<typeof Facts>[0]['of']
  readonly lines?: ComponentChildren
  /** The Sandbox's buttons to act for other people and for the bank or network. */
  readonly simulate: ComponentChildren
}

/** One payment: what it is, who approved it, and what can be done with it. */
export const MoneyOutPage = <Out extends MoneyOut>({
  id,
  kind,
  query: { data, problem, refresh: again, poll },
  shownOf,
}: {
  id: string
  kind: MoneyOutKind
  query: Query<Out>
  shownOf: (out: Out) => Shown
}) => {
  const { path } = kind
  const texts = kind.texts()
  const params = { path: { id } }
  const [open, setOpen] = useState<'reject' | 'cancel' | null>(null)
  useEffect(() => onChangeOf(id, poll), [id])
  const changed = (text: string): void => {
    refresh(path, '/v1/balance', '/v1/overview', '/v1/audit')
    announce(text)
  }
  const approve = useAction(async (facts: Texts) => {
    await signing(facts, () => dataOf(api.POST(`${path}/{id}/approve`, { params })))
    changed(texts.approved)
  })
  const back = { href: pathTo(kind.page), text: texts.title }
  if (problem || !data)
    return (
      <Page title={texts.title} back={back}>
        {problem ? <Trouble of={problem} retry={again} /> : <Loading rows={8} />}
      </Page>
    )
  const { status, failureReason, cancelReason, externalId } = data
  const { currency = 'BRL', payee, facts, ...shown } = shownOf(data)
  const signed: Texts = [
    ...shown.payeeFacts,
    [t.common.amount, money(data.amount, currency)],
    [texts.fee, money(data.feeAmount, currency)],
    ...shown.signed,
  ]
  const reasonIn = (words: Readonly<Record<string, string>>, reason: string) => words[reason]
  return (
    <Page
      back={back}
      title={
        <>
          <Amount of={data.amount} currency={currency} size="large" /> {shown.status}
        </>
      }
      lead={texts.to(payee)}
      actions={
        <>
          <HistoryButton id={id} />
          {status === 'COMPLETED' && (
            <LinkButton icon="receipt" href={downloadPath(`${path}/${id}/receipt`)} target="_blank">
              {t.transfers.receipt}
            </LinkButton>
          )}
          {kind.waiting.some((waiting) => waiting === status) && can(kind.permission) && (
            <Button icon="ban" onClick={() => setOpen('cancel')}>
              {texts.cancel}
            </Button>
          )}
          {mayDecide(data) && (
            <>
              <Button icon="x" onClick={() => setOpen('reject')}>
                {t.decide.reject}
              </Button>
              <Button
                tone="main"
                icon="check"
                isBusy={approve.isBusy}
                onClick={() => void approve.run(signed)}
              >
                {t.decide.approve}
              </Button>
            </>
          )}
        </>
      }
    >
      <Trouble of={approve.problem} />
      <WaitsForApproval of={data} />
      {shown.lines}
      {failureReason && (
        <p class="notice-line warn">
          <strong>{reasonIn(texts.failure, failureReason)}</strong>{' '}
          {reasonIn(texts.failureHelp, failureReason)}
        </p>
      )}
      {cancelReason && <p class="notice-line">{reasonIn(texts.cancelled, cancelReason)}</p>}
      {currentPlace()?.environment === 'SANDBOX' && shown.simulate}
      <div class="split-page">
        <div>
          <Section title={t.common.details}>
            <Facts
              of={[
                ...shown.payeeFacts,
                ...facts,
                [t.common.externalId, externalId],
                [t.common.id, <Copy key="id" text={id} isShort />],
              ]}
            />
          </Section>
          <History id={id} />
        </div>
        <Approvals of={data} />
      </div>
      {open === 'reject' && (
        <RejectDialog
          onClose={() => setOpen(null)}
          act={async (reason) => {
            await dataOf(api.POST(`${path}/{id}/reject`, { params, body: { reason } }))
            changed(t.decide.done.reject)
          }}
        />
      )}
      {open === 'cancel' && (
        <AskDialog
          title={texts.cancel}
          text={texts.cancelAsk(money(data.amount, currency), payee)}
          action={texts.cancel}
          onClose={() => setOpen(null)}
          act={async () => {
            await dataOf(api.POST(`${path}/{id}/cancel`, { params }))
            changed(texts.cancelDone)
          }}
        />
      )}
    </Page>
  )
}
