import { t } from '../../core/language.ts'
import { pathTo, useFilters } from '../../core/router.ts'
import { Page, Tabs } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { createButton } from '../../parts/list-page.tsx'
import { RecipientDialog, RecipientPage, Recipients, Transfers } from './recipients.tsx'
import { RuleDialog, Rules } from './rules.tsx'
import { Simulator } from './simulator.tsx'

/** Dividing payments among recipients: rules, recipients, split transfers, and a simulator. */
export const Split = ({ rest: [part = 'regras', id] }: { rest: readonly string[] }) => {
  const dialog = useDialog(useFilters())
  if (part === 'recebedores' && id !== undefined) return <RecipientPage id={id} />
  const [text, name] =
    part === 'recebedores' ? [t.split.createRecipient, 'recebedor'] : [t.split.createRule, 'regra']
  return (
    <Page
      title={t.nav.split}
      lead={t.split.lead}
      actions={createButton('marketplace.manage', text, () => dialog.show(name))}
    >
      <Tabs
        label={t.nav.split}
        current={part}
        of={[
          { id: 'regras', text: t.split.rules, href: pathTo('divisao') },
          { id: 'recebedores', text: t.split.recipients, href: pathTo('divisao/recebedores') },
          { id: 'repasses', text: t.split.transfers, href: pathTo('divisao/repasses') },
          { id: 'simulador', text: t.split.simulator, href: pathTo('divisao/simulador') },
        ]}
      />
      {part === 'regras' && <Rules onEdit={(id) => dialog.show(id)} />}
      {part === 'recebedores' && <Recipients />}
      {part === 'repasses' && <Transfers />}
      {part === 'simulador' && <Simulator />}
      {dialog.open === 'recebedor' && <RecipientDialog recipient={null} onClose={dialog.close} />}
      {(dialog.open === 'regra' || dialog.open.startsWith('spr_')) && (
        <RuleDialog id={dialog.open === 'regra' ? null : dialog.open} onClose={dialog.close} />
      )}
    </Page>
  )
}
