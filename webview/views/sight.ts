export interface Sight {
  /** Whether a section is on the screen or near it; so is one that nothing is known of yet. */
  readonly isSeen: (section: string) => boolean;
  /** Looks for sections that were drawn since. */
  readonly follow: () => void;
}

/** Knows which sections of the panel a person can see. */
export function trackSight(root: HTMLElement): Sight {
  const away = new Set<string>();
  const followed = new WeakSet<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const name = nameOf(target as HTMLElement);
        // A folded one has nothing to draw now, and everything once it is unfolded.
        if (isIntersecting || !(target as HTMLDetailsElement).open) away.delete(name);
        else away.add(name);
      }
    },
    { rootMargin: '100px 0px' },
  );
  return {
    isSeen: (section) => !away.has(section),
    follow() {
      for (const section of root.querySelectorAll<HTMLElement>('details.section')) {
        if (followed.has(section)) continue;
        followed.add(section);
        observer.observe(section);
      }
    },
  };
}

const nameOf = ({ dataset }: HTMLElement): string => (dataset.test ?? '').replace('section-', '');
