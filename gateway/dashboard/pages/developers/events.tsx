import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { Button, copy, LinkButton, Loading, Page, Trouble } from '../../parts/basics.tsx'

/** Every type of event: when it is sent, and what a receiver gets. */
export const Events = () => {
  const types = useGet('/v1/webhooks/event-types')
  return (
    <Page
      title={t.nav.events}
      lead={t.events.lead}
      actions={
        <LinkButton icon="webhook" href={pathTo('webhooks')}>
          {t.nav.webhooks}
        </LinkButton>
      }
    >
      <Trouble of={types.problem} retry={types.refresh} />
      {types.isLoading && <Loading rows={10} />}
      {types.data?.data.map(({ type, sample }) => (
        <details key={type} class="event-type">
          <summary>
            <code>{type}</code> <span class="muted">{t.events.meaning[type]}</span>
          </summary>
          <pre class="code">{JSON.stringify(sample, null, 2)}</pre>
          <div class="actions">
            <Button
              icon="copy"
              aria-label={`${t.common.copy} ${type}`}
              onClick={() => void copy(JSON.stringify(sample, null, 2))}
            >
              {t.common.copy}
            </Button>
            <LinkButton icon="send" href={pathTo(`entregas?type=${type}`)}>
              {t.nav.deliveries}
            </LinkButton>
          </div>
        </details>
      ))}
    </Page>
  )
}
