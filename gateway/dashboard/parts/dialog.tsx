import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../core/language.ts'
import { IconButton } from './buttons.tsx'

/** What can be closed. */
export type Closable = { readonly onClose: () => void }

type DialogProps = Closable & {
  title: string
  isWide?: boolean
  /** Whether only its buttons close it: what it shows is lost with it. */
  isFixed?: boolean
  children: ComponentChildren
  foot?: ComponentChildren
}

/** A dialog over the page: the browser holds the focus inside, and Escape closes it. */
export const Dialog = ({ title, onClose, isWide = false, isFixed = false, children, foot }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current!
    const focusedBefore = document.activeElement
    dialog.showModal()
    const first =
      dialog.querySelector<HTMLElement>('[data-first]') ??
      dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')
    first?.focus()
    return () => {
      dialog.close()
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        // Popovers and file choosers inside it are cancelled too, and bubble.
        if (event.target !== element.current) return
        event.preventDefault()
        if (!isFixed) onClose()
      }}
      onMouseDown={(event) => {
        if (!isFixed && event.target === element.current) onClose()
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          {!isFixed && <IconButton icon="x" name={t.common.close} onClick={onClose} />}
        </header>
        {children}
        {foot && <footer class="dialog-foot">{foot}</footer>}
      </div>
    </dialog>
  )
}
