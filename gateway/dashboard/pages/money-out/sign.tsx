import { signing } from '../../core/factor.ts'
import { t } from '../../core/language.ts'
import { refresh, useAction } from '../../core/query.ts'
import { navigate, pathTo } from '../../core/router.ts'
import { NeedsApproval } from '../../parts/approvals.tsx'
import { Amount, Button, Facts, Section, Trouble } from '../../parts/basics.tsx'
import { announce } from '../../parts/toasts.tsx'
import type { MoneyOutKind } from './kinds.ts'

/** Shows a payment and signs it. A possible duplicate has to be signed a second time. */
export const Signing = ({
  preview,
  currency = 'BRL',
  signed,
  shown,
  kind: { path, page, ...kind },
  create,
  onBack,
}: {
  preview: { readonly amount: string } & Parameters<typeof NeedsApproval>[0]['of']
  currency?: string
  /** What is signed, and what is only shown beside it. */
  signed: readonly (readonly [string, string])[]
  shown: Parameters<typeof Facts>[0]['of']
  kind: MoneyOutKind
  create: (allowDuplicate: boolean) => Promise<{ readonly id: string; readonly status: string }>
  onBack: () => void
}) => {
  const texts = kind.texts()
  const send = useAction(async (allowDuplicate: boolean) => {
    const made = await signing(signed, () => create(allowDuplicate))
    refresh(path, '/v1/balance', '/v1/statement', '/v1/overview')
    announce(made.status === 'PENDING_APPROVAL' ? texts.waitsDone : texts.sent)
    navigate(pathTo(`${page}/${made.id}`))
  })
  const isDuplicate = send.problem?.code === 'POSSIBLE_DUPLICATE'
  return (
    <Section title={t.transfers.confirm}>
      <p class="today-amount">
        <Amount of={preview.amount} currency={currency} size="huge" />
      </p>
      <Facts of={[...signed, ...shown]} />
      <NeedsApproval of={preview} />
      <Trouble of={send.problem} />
      <div class="form-foot">
        <Button tone="quiet" onClick={onBack}>
          {t.common.cancel}
        </Button>
        <Button tone="main" icon="shield" isBusy={send.isBusy} onClick={() => void send.run(isDuplicate)}>
          {isDuplicate ? texts.sendAgain : texts.sign}
        </Button>
      </div>
    </Section>
  )
}
