/** Notes that people write about transactions and customers. */
import './note.ts'
import { noteAnswers, noteDeciders } from './handlers.ts'
import { noteKind } from './note.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const notesModule = {
  kinds: {
    note: noteKind,
  },
  deciders: noteDeciders,
  answers: noteAnswers,
}
