(define (problem tea)
  (:domain parlour)
  (:objects
    alice bob mary_minus_ann - person
    Hall_bar__plus_00_dot_00 - place
    Sofa_bar__plus_01_dot_00 - place
    Sofa_bar__plus_02_dot_00 - place
  )
  (:init
    (isAt alice Hall_bar__plus_00_dot_00)
    (isAt bob Sofa_bar__plus_01_dot_00)
    (isAt mary_minus_ann Sofa_bar__plus_01_dot_00)
    (joined Hall_bar__plus_00_dot_00 Sofa_bar__plus_01_dot_00)
    (joined Sofa_bar__plus_01_dot_00 Hall_bar__plus_00_dot_00)
    (joined Sofa_bar__plus_01_dot_00 Sofa_bar__plus_02_dot_00)
    (joined Sofa_bar__plus_02_dot_00 Sofa_bar__plus_01_dot_00)
    (= (total-cost) 0)
  )
  (:goal (and (greeted alice bob) (waved mary_minus_ann)))
)
