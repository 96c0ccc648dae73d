import { docsPath, t } from '../../core/language.ts'
import { currentPlace, isSandbox, pathIn, pathTo } from '../../core/router.ts'
import { can } from '../../core/session.ts'
import { Ago, Empty, LinkButton } from '../../parts/basics.tsx'
import { useDialog } from '../../parts/common-fields.tsx'
import { createButton, ListPage, useList } from '../../parts/list-page.tsx'
import { Noted, statusColumn } from '../../parts/table.tsx'
import { CertificateEnd, Health, railsText } from './connection-labels.tsx'
import { saying, withConnectionTexts } from './connection-texts.tsx'
import { NewConnection } from './new-connection.tsx'

/** The company's connections to banks and acquirers, and how each fares. */
export const Connections = withConnectionTexts(
  () => t.nav.connections,
  () => {
    const query = useList('/v1/connections', [])
    const dialog = useDialog(query.filters)
    const create = !isSandbox() && createButton('company.manage', saying.create, dialog.show)
    return (
      <ListPage
        title={t.nav.connections}
        lead={saying.lead}
        actions={create}
        query={query}
        hrefOf={({ id }) => pathTo(`conexoes/${id}`)}
        nameOf={({ providerLabel }) => providerLabel}
        columns={[
          [
            'bank',
            saying.bank,
            ({ providerLabel, role }) => (
              <Noted note={saying.roles[role]}>
                <strong>{providerLabel}</strong>
              </Noted>
            ),
          ],
          statusColumn('connection'),
          ['rails', saying.rails, railsText, 'wide'],
          ['certificate', saying.certificate, (of) => <CertificateEnd of={of} />, 'medium'],
          [
            'health',
            saying.health,
            (of) => (
              <Noted note={of.checkedAt && <Ago at={of.checkedAt} />}>
                <Health of={of} />
              </Noted>
            ),
            'when',
          ],
        ]}
        empty={isSandbox() ? <InSandbox /> : <NoBank create={create} />}
      >
        {dialog.open && <NewConnection onClose={dialog.close} />}
      </ListPage>
    )
  },
)

const NoBank = ({ create }: { create: ReturnType<typeof createButton> }) => (
  <Empty
    icon="building"
    title={saying.none}
    text={can('company.manage') ? saying.noneText : saying.mayNot}
    actions={
      <>
        {create}
        <LinkButton href={`${docsPath()}/banks`} text={saying.guide} />
      </>
    }
  />
)

const InSandbox = () => (
  <Empty
    icon="flask"
    title={saying.inSandbox}
    text={saying.inSandboxText}
    actions={
      <LinkButton
        href={pathIn({ ...currentPlace()!, environment: 'PRODUCTION' }, 'conexoes')}
        text={t.environment.PRODUCTION}
      />
    }
  />
)
