/**
 * What is noted about objects, kept with each of them for as long as it lives. A WeakMap says the same, but what stands in one
 * outlives its key until all memory is gone through: with every key typed, a version's tree and all that was found out about it
 * would be carried along a dozen times before it goes.
 */
export class NotesOn<Subject extends object, Note> {
  readonly #key = Symbol('note');

  get(subject: Subject): Note | undefined {
    const written = (subject as Noted<Note>)[this.#key];
    // A copy made by spreading takes the property along, and is another object.
    return written?.about === subject ? written.note : undefined;
  }

  set(subject: Subject, note: Note): void {
    (subject as Noted<Note>)[this.#key] = { about: subject, note };
  }

  delete(subject: Subject): void {
    (subject as Noted<Note>)[this.#key] = undefined;
  }
}

type Noted<Note> = Record<symbol, { readonly about: object; readonly note: Note } | undefined>;
