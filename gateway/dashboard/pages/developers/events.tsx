import { t } from '../../core/language.ts'
import { useGet } from '../../core/query.ts'
import { pathTo } from '../../core/router.ts'
import { LinkButton, Loading, Page, Trouble } from '../../parts/basics.tsx'
import { Json } from '../../parts/json.tsx'

/** Every type of event: when it is sent, and what a receiver gets. */
export const Events = () => {
  const types = useGet('/v1/webhooks/event-types')
  return (
    <Page
      title={t.nav.events}
      lead={t.events.lead}
      actions={<LinkButton icon="webhook" href={pathTo('webhooks')} text={t.nav.webhooks} />}
    >
      <Trouble of={types.problem} retry={types.refresh} />
      {types.isLoading && <Loading rows={10} />}
      {types.data?.data.map(({ type, sample }) => (
        <details key={type} class="event-type">
          <summary>
            <code>{type}</code> <span class="muted">{t.events.meaning[type]}</span>
          </summary>
          <Json of={sample} label={type} />
          <div class="actions">
            <LinkButton icon="send" href={pathTo(`entregas?type=${type}`)} text={t.nav.deliveries} />
          </div>
        </details>
      ))}
    </Page>
  )
}
