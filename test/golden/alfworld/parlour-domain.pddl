;; Two people who are told by name what to do: commands have a sign right after a name. Ids of people have no coordinates, those of places have.

(define (domain parlour)
  (:requirements :adl :typing :action-costs)
  (:types person place)
  (:predicates
    (isAt ?a - person ?r - place)
    (joined ?r - place ?s - place)
    (greeted ?a - person ?b - person)
    (waved ?a - person)
  )
  (:functions (total-cost) - number)

  (:action move
    :parameters (?a - person ?r - place ?s - place)
    :precondition (and (isAt ?a ?r) (joined ?r ?s))
    :effect (and (not (isAt ?a ?r)) (isAt ?a ?s)))
  (:action greet
    :parameters (?a - person ?b - person ?r - place)
    :precondition (and (isAt ?a ?r) (isAt ?b ?r) (not (= ?a ?b)))
    :effect (greeted ?a ?b))
  (:action wave
    :parameters (?a - person ?r - place)
    :precondition (isAt ?a ?r)
    :effect (waved ?a))
  (:action count
    :parameters (?a - person ?r - place)
    :precondition (isAt ?a ?r)
    :effect (waved ?a))
  (:action swap
    :parameters (?a - person ?b - person ?r - place ?s - place)
    :precondition (and (isAt ?a ?r) (isAt ?b ?s) (joined ?r ?s))
    :effect (and (not (isAt ?a ?r)) (not (isAt ?b ?s)) (isAt ?a ?s) (isAt ?b ?r)))
)
