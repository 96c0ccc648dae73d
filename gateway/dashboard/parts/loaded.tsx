import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../core/language.ts'
import { Button, Empty, Loading } from './basics.tsx'

/** Loads the code of a component. */
type Load<Props> = () => Promise<ComponentType<Props>>

/** What was loaded, by what loads it. */
const loaded = new Map<unknown, unknown>()

const load = async (of: () => Promise<unknown>): Promise<void> => {
  if (!loaded.has(of)) loaded.set(of, await of())
}

type LoadedProps<Props> = { load: Load<Props>; props: Props }

/** A component whose code is loaded when it is first shown. */
export const Loaded = <Props extends object>({ load: of, props }: LoadedProps<Props>) => {
  const [, render] = useState({})
  const [hasFailed, setFailed] = useState(false)
  const Component = loaded.get(of) as ComponentType<Props> | undefined
  useEffect(() => {
    let isShown = true
    if (Component === undefined)
      load(of).then(
        () => isShown && render({}),
        () => isShown && setFailed(true),
      )
    return () => {
      isShown = false
    }
  }, [of])
  if (Component !== undefined) return <Component {...props} />
  return hasFailed ? <NotLoaded /> : <Loading rows={8} />
}

/**
 * A failed import fails for as long as the document lives; another version of the service has other files, too. The page is loaded anew
 * when the line is back: nothing was typed into it.
 */
const NotLoaded = () => {
  const reload = (): void => location.reload()
  useEffect(() => {
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <Empty
      icon="alert"
      title={t.problems.notLoaded}
      text={t.problems.notLoadedText}
      actions={<Button tone="main" text={t.common.reload} onClick={reload} />}
    />
  )
}

/** Loads code before it is needed, once the browser has nothing else to do, one after the other. */
export const loadAhead = (all: readonly (() => Promise<unknown>)[]): void => {
  const [next, ...rest] = all
  if (next === undefined) return
  const go = (): void =>
    void load(next).then(
      () => loadAhead(rest),
      () => undefined,
    )
  if ('requestIdleCallback' in globalThis) requestIdleCallback(go)
  else setTimeout(go, 500)
}
