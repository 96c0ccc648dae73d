import { del } from '../core/api.ts'
import { language, languageNames, t } from '../core/language.ts'
import { preferLanguage, preferTheme } from '../core/preferences.ts'
import { forgetAll } from '../core/query.ts'
import { navigate, type Place, pathIn, pathTo } from '../core/router.ts'
import { holdSession, sessionStore } from '../core/session.ts'
import { useStore } from '../core/store.ts'
import { themeStore } from '../core/theme-choice.ts'
import type { Texts } from '../texts/texts.ts'
import { Icon } from './icons.tsx'
import { usePopover } from './popover.ts'

/** The present place, and the others where the person may work. */
export const PlaceSwitch = ({ place }: { place: Place }) => {
  const session = useStore(sessionStore)
  const { button, panel, close } = usePopover('places')
  const own = session?.memberships.find(({ companyId }) => companyId === place.companyId)
  return (
    <div class="place">
      <button {...button} type="button" class="place-button">
        <span class="place-mark" aria-hidden="true" data-initials={(own?.companyName ?? '?').slice(0, 1)} />
        <span class="visually-hidden">{t.nav.place}: </span>
        <span class="place-name" title={own?.companyName}>
          {own?.companyName}
        </span>
        <span class={place.environment === 'SANDBOX' ? 'environment sandbox' : 'environment'}>
          {t.environment[place.environment]}
        </span>
        <Icon name="down" size={12} />
      </button>
      <div {...panel} class="popover menu">
        {session?.memberships.map(({ companyId, companyName, roles }) => (
          <div key={companyId} class="place-company">
            <strong>{companyName}</strong>
            {(['SANDBOX', 'PRODUCTION'] as const)
              .filter((environment) => roles[environment] !== null)
              .map((environment) => (
                <a
                  key={environment}
                  href={pathIn({ companyId, environment })}
                  aria-current={
                    companyId === place.companyId && environment === place.environment ? 'true' : undefined
                  }
                  onClick={close}
                >
                  <span>{t.environment[environment]}</span>
                  <span class="hint">
                    {t.role[roles[environment] as keyof Texts['role']] ?? roles[environment]}
                  </span>
                </a>
              ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Who is signed in, how the dashboard looks to them, and the way out. */
export const PersonMenu = () => {
  const session = useStore(sessionStore)
  const theme = useStore(themeStore)
  const { button, panel, close } = usePopover('person')
  const name = session?.person.name ?? ''
  const initials = name
    .split(/\s+/)
    .filter((_, n, all) => n === 0 || n === all.length - 1)
    .map((name) => name.slice(0, 1))
    .join('')
  return (
    <>
      <button {...button} type="button" class="person-button" aria-label={`${t.nav.me}: ${name}`}>
        <span aria-hidden="true" data-initials={initials} />
      </button>
      <div {...panel} class="popover menu">
        <div class="person-head">
          <strong>{name}</strong>
          <span class="hint">{session?.person.email}</span>
        </div>
        <a href={pathTo('eu')} onClick={close}>
          {t.nav.me}
        </a>
        <MenuChoice
          name="theme"
          title={t.theme.title}
          of={(['system', 'light', 'dark'] as const).map((name) => [name, t.theme[name]])}
          chosen={theme}
          choose={preferTheme}
        />
        <MenuChoice
          name="language"
          title={t.theme.language}
          of={(['pt-BR', 'en'] as const).map((tag) => [tag, languageNames[tag], tag])}
          chosen={language()}
          choose={preferLanguage}
        />
        <button type="button" onClick={() => void signOut()}>
          <Icon name="logout" /> {t.nav.signOut}
        </button>
      </div>
    </>
  )
}

const MenuChoice = <Value extends string>({
  name,
  title,
  of,
  chosen,
  choose,
}: {
  name: string
  title: string
  of: readonly (readonly [value: Value, text: string, lang?: string])[]
  chosen: Value
  choose: (value: Value) => Promise<void>
}) => (
  <fieldset class="menu-choice">
    <legend>{title}</legend>
    {of.map(([value, text, lang]) => (
      <label key={value}>
        <input type="radio" name={name} checked={chosen === value} onChange={() => void choose(value)} />
        <span lang={lang}>{text}</span>
      </label>
    ))}
  </fieldset>
)

/** Ends the session here and at the service. */
const signOut = async (): Promise<void> => {
  await del('/v1/session').catch(() => undefined)
  forgetAll()
  holdSession(null)
  navigate('/painel/entrar')
}
